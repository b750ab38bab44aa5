import { describe, expect, it } from 'vitest';
import { parseConfig } from './parse-config.ts';

const problems = (text: string, environment = {}): string[] => {
  const result = parseConfig(text, environment);
  return result.ok ? [] : result.problems.map((problem) => `${problem.line}: ${problem.message}`);
};

describe('parseConfig', () => {
  it('reads the documented file and fills in the defaults', () => {
    const result = parseConfig(
      `models:
  - name: qwen3-4b-dp4
    served_model_name: Qwen/Qwen3-4B-Instruct-2507
    aliases: ["claude-*"]
    replicas:
      - url: http://127.0.0.1:8000
        ranks: auto
    api_key: \${VLLM_API_KEY}
    max_num_seqs: 32
`,
      { VLLM_API_KEY: 'secret' },
    );
    expect(result).toMatchObject({
      ok: true,
      config: {
        models: [
          { name: 'qwen3-4b-dp4', api_key: 'secret', affinity: true, spill_threshold: 'auto', max_num_seqs: 32 },
        ],
        limits: { max_body_mb: 32, connect_timeout_seconds: 5 },
      },
    });
  });

  it('names the line of an unknown key', () => {
    expect(problems('models:\n  - name: m\n    replicas:\n      - url: http://h:1\n    afinity: true\n')).toEqual([
      '5: unknown key models[0].afinity',
    ]);
  });

  it('names the line and the field of a wrong value', () => {
    expect(problems('models:\n  - name: m\n    spill_threshold: 0\n    replicas:\n      - url: ftp://h\n')).toEqual([
      expect.stringMatching(/^5: models\[0\]\.replicas\[0\]\.url: must be an http/),
      expect.stringMatching(/^3: models\[0\]\.spill_threshold: /),
    ]);
  });

  it('reports text that is not YAML with its line', () => {
    expect(problems('models:\n  - name: "m\n')[0]).toMatch(/^\d+: not valid YAML/);
  });

  it('refuses an environment variable that is not set', () => {
    expect(problems('models:\n  - name: m\n    api_key: ${NOPE}\n    replicas:\n      - url: http://h:1\n')).toEqual([
      '3: ${NOPE} is not set in the environment',
    ]);
  });

  it('refuses an empty file, two models of one name, and one URL listed twice', () => {
    expect(problems('')).toHaveLength(1);
    const twice =
      'models:\n  - {name: m, replicas: [{url: "http://h:1"}, {url: "http://h:1"}]}\n  - {name: m, replicas: [{url: "http://h:2"}]}\n';
    expect(problems(twice)).toEqual([
      '3: models[1].name: "m" is already taken by model m',
      '2: models[0].replicas[1].url: http://h:1 is listed twice',
    ]);
  });
});
