import { readFile } from 'node:fs/promises';
import { expect, type Page } from 'playwright/test';
import { type BenchmarkReport, benchmarkList, benchmarkReport, benchmarkRun } from '#lib/contract/benchmark.ts';
import { expectNoAxeViolation, overflow } from './axe.ts';
import type { BuiltWarden } from './built-warden.ts';
import { expectDownload, expectPicture } from './downloads.ts';
import { routing } from './model-page.ts';
import { watchFaults } from './page-faults.ts';
import { standsFor } from './shown-number.ts';
import { tableRows } from './table-rows.ts';
import { test } from './warden-test.ts';

test.use({ reducedMotion: 'reduce' });

type Numbers = { readonly steps: string; readonly seconds: string; readonly warmup: string };

async function startBenchmark(page: Page, { steps, seconds, warmup }: Numbers): Promise<void> {
  const form = page.getByRole('form', { name: 'New benchmark' });
  await form.getByLabel('Sessions at once').fill(steps);
  await form.getByLabel('Seconds a step').fill(seconds);
  await form.getByLabel('Warm-up, seconds').fill(warmup);
  await form.getByRole('button', { name: 'Start' }).click();
  await expect(page.getByRole('heading', { name: /^Benchmark \d+ is running$/ })).toBeVisible();
}

async function reportOf(warden: BuiltWarden, id: number): Promise<BenchmarkReport> {
  const { report } = await warden.get(`/api/benchmarks/${id}`, benchmarkRun);
  if (report === null) throw new Error(`benchmark ${id} has no report`);
  return report;
}

/** "off → on → cache-fit" as the table writes it: the numbers, with units taken away; seconds also where it says ms. */
function pair(text: string | undefined): (number | null)[] {
  return (text ?? '').split('→').map((part) => {
    const value = Number.parseFloat(part.replaceAll(',', ''));
    if (Number.isNaN(value)) return null;
    return /\dms|\d ms/.test(part) ? value / 1000 : value;
  });
}

async function expectTableToEqual(page: Page, report: BenchmarkReport): Promise<void> {
  await page.getByRole('combobox', { name: 'Compare with' }).selectOption('none');
  const rows = await tableRows(page.getByRole('table', { name: 'Affinity off and on' }));
  const steps = [...new Set(report.rows.map(({ sessions }) => sessions))];
  expect(rows.map((row) => Number(row.Sessions))).toEqual(steps);
  for (const [index, sessions] of steps.entries()) {
    const [off, on, fit] = ['off', 'affinity', 'cache-fit'].map((policy) =>
      report.rows.find((row) => row.policy === policy && row.sessions === sessions),
    );
    const shown = (header: string) => pair(rows[index]?.[header]);
    expect(shown('Turns')).toEqual([off?.turns, on?.turns, fit?.turns]);
    const near = (header: string, values: readonly (number | null | undefined)[], digits: number) => {
      for (const [side, value] of values.entries()) {
        const own = shown(header)[side];
        if (value === null || value === undefined) expect(own).toBeNull();
        else expect(own).toBeCloseTo(value, digits);
      }
    };
    near('First byte p50', [off?.ttfb_p50_seconds, on?.ttfb_p50_seconds, fit?.ttfb_p50_seconds], 1);
    near('First byte p95', [off?.ttfb_p95_seconds, on?.ttfb_p95_seconds, fit?.ttfb_p95_seconds], 1);
    near('Sessions/h', [off?.sessions_per_hour, on?.sessions_per_hour, fit?.sessions_per_hour], -0.3);
    near('Output', [off?.output_tokens_per_minute, on?.output_tokens_per_minute, fit?.output_tokens_per_minute], -0.3);
    near('Busy', [off?.replicas_busy, on?.replicas_busy, fit?.replicas_busy], 1);
    near('Prefix hits', [off?.prefix_hit_percent, on?.prefix_hit_percent, fit?.prefix_hit_percent], 0);
    near('Stayed', [on?.stayed_percent, fit?.stayed_percent], 0);
  }
}

/** The figure's button gives a PNG that is twice as wide and high as the chart on the page, with words above it. */
async function expectFigure(page: Page, title: string, name: string): Promise<void> {
  const chart = await page.getByRole('img', { name: title }).boundingBox();
  if (chart === null) throw new Error(`no chart ${title}`);
  const button = page.getByRole('button', { name: `Download PNG: ${title}`, exact: true });
  const { width, height } = await expectPicture(page, button, name);
  expect(width / 2 - chart.width).toBeCloseTo(32, -0.5);
  expect(height / 2 - chart.height).toBeGreaterThan(32 + 3 * 18);
}

/** The table behind the distribution has its points: of each setting, the wait that a share of the turns did not exceed. */
async function expectPoints(page: Page, report: BenchmarkReport): Promise<void> {
  const title = 'All times to first byte, 1 session';
  await page.getByRole('button', { name: `Show table: ${title}` }).click();
  const rows = await tableRows(page.getByRole('table', { name: title }));
  expect(rows).toHaveLength(99);
  const waits = report.cells
    .filter(({ policy, sessions }) => policy === 'affinity' && sessions === 1)
    .flatMap(({ ttfb_seconds }) => ttfb_seconds)
    .sort((a, b) => a - b);
  const median = waits[Math.ceil(waits.length / 2) - 1] ?? null;
  expect(rows[49]).toMatchObject({ 'Turns that waited no longer': '50%' });
  expect(standsFor(rows[49]?.['Affinity on'] ?? '', median)).toBe(true);
  const figure = page.getByRole('table', { name: title }).locator('xpath=ancestor::div[.//button][1]');
  const csv = await expectDownload(
    page,
    figure.getByRole('button', { name: 'Download CSV' }),
    'warden-benchmark-1-ttfb-1.csv',
  );
  const lines = csv.toString('utf8').trim().split(/\r?\n/);
  expect(lines[0]).toBe('turns_percent,cache-fit_ttfb_seconds,affinity_ttfb_seconds,off_ttfb_seconds');
  expect(lines).toHaveLength(100);
}

test('a short benchmark runs to its end, and the page shows what is stored', async ({ page, warden }) => {
  test.setTimeout(240_000);
  const faults = watchFaults(page);
  await page.goto(`${warden.url}/benchmark`);
  await expect(page.getByText('No benchmark yet')).toBeVisible();
  await expectNoAxeViolation(page);

  await startBenchmark(page, { steps: '1, 2', seconds: '6', warmup: '2' });
  const bar = page.getByRole('progressbar', { name: 'Progress of the benchmark' });
  await expect(page.getByText(/about .* left$/)).toBeVisible();
  await expectNoAxeViolation(page);
  await expect.poll(async () => Number(await bar.getAttribute('aria-valuenow'))).toBeGreaterThan(10);
  await expect(page.getByText(/^Affinity on, 1 session: /)).toBeVisible({ timeout: 30_000 });

  await expect(page.getByRole('heading', { name: 'Benchmark 1', exact: true })).toBeVisible({ timeout: 150_000 });
  await expect(page.getByText('What to know before believing it')).toBeVisible();
  const report = await reportOf(warden, 1);
  expect(report.rows).toHaveLength(6);
  await expectTableToEqual(page, report);
  await expect(page.getByText(`Seed${report.plan.seed}`)).toBeVisible();
  expect((await routing(warden)).affinity).toBe(true);

  await expect(page.getByRole('img', { name: /^Time to first byte, median\. 1 session: / })).toBeVisible();
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download JSON' }).click();
  const file = await readFile(await (await downloading).path(), 'utf8');
  expect(benchmarkReport.parse(JSON.parse(file))).toEqual(report);
  await expectFigure(page, 'Time to first byte, median', 'warden-benchmark-1-time-to-first-byte-median.png');
  await expectPoints(page, report);

  await page.getByRole('combobox', { name: 'Compare with' }).selectOption('reference');
  for (const [width, theme] of [
    [1280, 'dark'],
    [360, 'light'],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme: theme });
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
    await expectNoAxeViolation(page);
    expect(await overflow(page)).toBe(0);
  }

  expect(faults.filter((fault) => !fault.includes('ERR_ABORTED'))).toEqual([]);
  await warden.restart();
  await page.reload();
  await expectTableToEqual(page, report);
});

test('a benchmark can be cancelled, and affinity is as it was', async ({ page, warden }) => {
  await page.goto(`${warden.url}/benchmark`);
  await startBenchmark(page, { steps: '2', seconds: '600', warmup: '0' });
  await expect.poll(async () => (await routing(warden)).affinity).toBe(false);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel the benchmark' }).click();
  await expect(page.getByRole('form', { name: 'New benchmark' })).toBeVisible();
  await expect(page.getByRole('table', { name: 'Benchmark runs' })).toContainText('Cancelled');
  expect((await routing(warden)).affinity).toBe(true);
  await expect.poll(async () => (await routing(warden)).totals.in_flight).toBe(0);

  await page.getByRole('button', { name: 'Delete run 1' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('No benchmark yet')).toBeVisible();
  expect((await warden.get('/api/benchmarks', benchmarkList)).runs).toEqual([]);
});

test('it asks before it disturbs other traffic, and says what is wrong with a form', async ({ page, warden }) => {
  await fetch(`${warden.url}/api/demo`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ sessions: 2 }),
  });
  await page.goto(`${warden.url}/benchmark`);
  const form = page.getByRole('form', { name: 'New benchmark' });
  await form.getByLabel('Sessions at once').fill('4, many');
  await expect(form.getByText(/^Up to 12 numbers/)).toBeVisible();
  await expect(form.getByRole('button', { name: 'Start' })).toBeDisabled();
  await form.getByLabel('Sessions at once').fill('1');
  for (const name of ['Affinity off', 'Affinity on', 'Affinity on with cache-fit']) {
    await form.getByRole('checkbox', { name, exact: true }).uncheck();
  }
  await expect(form.getByText('Choose at least one setting')).toBeVisible();
  await form.getByRole('checkbox', { name: 'Affinity on', exact: true }).check();
  await expect(form.getByText(/^1 measurements?, /)).toBeVisible();
  await form.getByRole('button', { name: 'Start' }).click();
  await expect(page.getByText('2 synthetic agent sessions run.')).toBeVisible();
  await page.getByRole('button', { name: 'Start anyway' }).click();
  await expect(page.getByRole('heading', { name: 'Benchmark 1 is running' })).toBeVisible();
});
