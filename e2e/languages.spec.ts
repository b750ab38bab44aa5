import { expect } from 'playwright/test';
import { watchFaults } from './page-faults.ts';
import { MODEL } from './turns.ts';
import { test } from './warden-test.ts';

test('the language that is chosen applies at once, stays after a reload, and names the pages and the tab', async ({
  page,
  idleWarden: warden,
}) => {
  const faults = watchFaults(page);
  await page.goto(`${warden.url}/stats`);
  await expect(page).toHaveTitle('Stats · LM Warden');
  await page.getByRole('button', { name: 'Language' }).click();
  await page.getByRole('menuitemradio', { name: 'हिन्दी' }).click();
  const html = page.locator('html');
  await expect(html).toHaveAttribute('lang', 'hi');
  await expect(page.getByRole('heading', { level: 1, name: 'आँकड़े' })).toBeVisible();
  await expect(page).toHaveTitle('आँकड़े · LM Warden');
  await page.reload();
  await expect(html).toHaveAttribute('lang', 'hi');
  await page.getByRole('navigation', { name: 'पेज' }).getByRole('link', { name: 'मॉडल' }).click();
  await expect(page).toHaveTitle('मॉडल · LM Warden');
  await page.getByRole('article').getByRole('link', { name: MODEL }).click();
  await expect(page).toHaveTitle(`${MODEL} · LM Warden`);
  await page.getByRole('button', { name: 'भाषा' }).click();
  await page.getByRole('menuitemradio', { name: 'English' }).click();
  await expect(html).toHaveAttribute('lang', 'en');
  await expect(page.getByRole('banner').getByText('Simulated fleet')).toBeVisible();
  expect(faults).toEqual([]);
});

test.describe('a browser that asks for Hindi', () => {
  test.use({ locale: 'hi-IN' });

  test('never sees the English shell, and has its ages in Hindi', async ({ page, idleWarden: warden }) => {
    const faults = watchFaults(page);
    await page.addInitScript(() => {
      // Every frame until the page is there: whether an English word was to be seen.
      const look = (): void => {
        const body = document.body;
        const visible = body !== null && getComputedStyle(body).visibility === 'visible';
        if (visible && document.querySelector('aside')?.textContent.includes('Keyboard shortcuts'))
          document.documentElement.dataset.flashed = '';
        requestAnimationFrame(look);
      };
      look();
    });
    await page.goto(warden.url);
    await expect(page.getByRole('button', { name: 'कीबोर्ड शॉर्टकट' })).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('lang', 'hi');
    await expect(page.getByTitle(/^राउटर का आख़िरी जवाब: (अभी|\d+ से॰ पहले)$/)).toBeVisible();
    await expect(page.locator('html')).not.toHaveAttribute('data-flashed');
    expect(faults).toEqual([]);
  });
});

test.describe('where the Hindi words cannot be fetched', () => {
  test.use({ locale: 'hi-IN' });

  test('the page is shown in English', async ({ page, idleWarden: warden }) => {
    let blocked = 0;
    await page.route('**/*.js', async (route) => {
      const answer = await route.fetch();
      if (!(await answer.text()).includes('कीबोर्ड')) return route.fulfill({ response: answer });
      blocked += 1;
      return route.abort();
    });
    await page.goto(warden.url);
    // Not by the time-out that shows the page come what may.
    await expect(page.locator('html')).not.toHaveAttribute('data-language-pending');
    await expect(page.getByRole('button', { name: 'Keyboard shortcuts' })).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
    expect(blocked).toBeGreaterThan(0);
  });
});
