import { expect, it } from 'vitest';
import { configLines } from './config-lines.ts';

it('finds every key and list item with its line, and the variables in its value', () => {
  const places = configLines(
    [
      '# a comment',
      'limits:',
      '  max_body_mb: 64',
      'models:',
      '  - name: qwen',
      '    api_key: "${VLLM_KEY}"',
      '    replicas:',
      '      - url: http://${HOST}:${PORT}',
      '  - { name: llama, affinity: false }',
    ].join('\n'),
  );
  expect(Object.fromEntries(places)).toMatchObject({
    limits: { line: 2, variables: [] },
    'limits.max_body_mb': { line: 3 },
    'models[0].name': { line: 5 },
    'models[0].api_key': { line: 6, variables: ['VLLM_KEY'] },
    'models[0].replicas[0].url': { line: 8, variables: ['HOST', 'PORT'] },
    'models[1].affinity': { line: 9 },
  });
});

it('finds nothing in an empty file', () => {
  expect(configLines('').size).toBe(0);
});
