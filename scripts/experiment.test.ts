import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const script = fileURLToPath(new URL('experiment.mjs', import.meta.url));
const run = (...options: string[]) => promisify(execFile)(process.execPath, [script, ...options]);

describe('npm run experiment', () => {
  it('needs no build step and prints one JSON document on stdout and nothing else', async () => {
    const { stdout, stderr } = await run('--steps', '2', '--seconds', '10', '--seeds', '1', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ preset: 'a4000x4', seconds: 10, seeds: [1] });
    expect(stderr).toBe('');
  });

  it('ends with 2 and says what is wrong, with nothing on stdout', async () => {
    await expect(run('--polices', 'off')).rejects.toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining("Unknown option '--polices'"),
    });
    await expect(run('--trace', 'no-such-folder')).rejects.toMatchObject({ code: 2, stdout: '' });
  });
});
