import { describe, expect, it } from 'vitest';
import { mistake, runCommand } from './command.ts';
import type { OptionValues } from './option-values.ts';

const QUICK = { seconds: '20', steps: '2', seeds: '1,2', policies: 'off,affinity' };

function complaint(values: OptionValues): string | null {
  try {
    runCommand({ ...QUICK, ...values }, []);
    return null;
  } catch (error) {
    return mistake(error);
  }
}

describe('the experiment command', () => {
  it('prints one JSON document with a row per policy and step, the same bytes each time', () => {
    const text = runCommand({ ...QUICK, steps: '2,3', json: true }, []);
    expect(runCommand({ ...QUICK, steps: '2,3', json: true }, [])).toBe(text);
    const report = JSON.parse(text);
    expect(report).toMatchObject({ preset: 'a4000x4', seconds: 20, seeds: [1, 2] });
    expect(report.rows.map((row: { policy: string; sessions: number }) => [row.policy, row.sessions])).toEqual([
      ['off', 2],
      ['off', 3],
      ['affinity', 2],
      ['affinity', 3],
    ]);
    expect(Object.keys(report.rows[0])).toEqual(
      expect.arrayContaining([
        'sessions_per_hour',
        'output_tokens_per_minute',
        'ttfb_p50_seconds',
        'ttfb_p95_seconds',
        'ttfb_mean_seconds',
        'ttfb_max_seconds',
        'ttfb_first_p50_seconds',
        'ttfb_continuing_p50_seconds',
        'session_p50_seconds',
        'replicas_busy',
        'prefix_hit_percent',
        'stayed_percent',
        'turns',
      ]),
    );
  });

  it('prints a table for a person, with a dash where nothing is known', () => {
    const lines = runCommand(QUICK, []).split('\n');
    expect(lines[0]).toBe('a4000x4, 20 s of virtual time a step, mean of seeds 1, 2');
    expect(lines.at(-1)).toMatch(/^affinity +2 /);
    expect(lines.at(-2)).toMatch(/–/);
  });

  it('compares with the reference measurement where it has such a row', () => {
    const lines = runCommand({ ...QUICK, steps: '4,5', policies: 'off', deviation: true }, []).split('\n');
    expect(lines.at(-2)).toMatch(/^off +4 +.*[-+]?\d+ %/);
    expect(lines.at(-1)).toMatch(/^off +5( +–)+$/);
  });

  it('says what is wrong with an option', () => {
    expect(complaint({ preset: 'h100' })).toBe('--preset: "h100" is none of a4000x4, rtx5090x7');
    expect(complaint({ policies: 'off,on' })).toContain('"on" is none of');
    expect(complaint({ steps: '4,x' })).toBe('--steps: "x" is not a whole number of at least 1');
    expect(complaint({ steps: '' })).toContain('--steps');
    expect(complaint({ think: '30-0' })).toContain('--think takes a number or a range');
    expect(complaint({ context: '100' })).toContain('--context');
    expect(complaint({ context: '60000' })).toContain('use smaller numbers');
    expect(complaint({ trace: 'empty-folder' })).toContain('--trace');
  });

  it('takes a smaller cache, a longer context and pauses', () => {
    const row = (values: OptionValues) =>
      JSON.parse(runCommand({ ...QUICK, policies: 'affinity', seeds: '1', json: true, ...values }, [])).rows[0];
    expect(row({ context: '20000' }).ttfb_first_p50_seconds).toBeGreaterThan(row({}).ttfb_first_p50_seconds);
    expect(row({ think: '10-20', seconds: '60' }).output_tokens_per_minute).toBeLessThan(
      row({ seconds: '60' }).output_tokens_per_minute,
    );
    expect(row({ 'kv-tokens': '16000' }).turns).toBeGreaterThan(0);
  });
});
