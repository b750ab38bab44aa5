import { describe, expect, it } from 'vitest';
import { findMarkedCalls } from './tool-marker.ts';

describe('tool markers', () => {
  it('finds several calls in order, with their input in one spelling', () => {
    const text = 'First [[tool:Bash { "command": "ls" }]] then [[tool:mcp__docs.search {"q":1}]]';
    expect(findMarkedCalls(text)).toEqual([
      { name: 'Bash', input: '{"command":"ls"}' },
      { name: 'mcp__docs.search', input: '{"q":1}' },
    ]);
  });

  it('takes a call without input', () => {
    expect(findMarkedCalls('[[tool:list_files]]')).toEqual([{ name: 'list_files', input: '{}' }]);
  });

  it('leaves markers inside an input to whoever gets it', () => {
    const inner = '[[tool:Bash {"command":"echo }]]"}]]';
    const outer = `[[tool:Agent ${JSON.stringify({ prompt: inner })}]]`;
    const [call, ...others] = findMarkedCalls(outer);
    expect(others).toEqual([]);
    expect(call?.name).toBe('Agent');
    expect(findMarkedCalls(JSON.parse(call?.input ?? '{}').prompt)).toEqual([
      { name: 'Bash', input: '{"command":"echo }]]"}' },
    ]);
  });

  it('ignores what is not closed or is not JSON, and goes on after it', () => {
    const text = '[[tool:A {"x":1} ]] [[tool:B {x}]] [[tool:C {"y":"open]] [[tool:D {}]]';
    expect(findMarkedCalls(text).map(({ name }) => name)).toEqual(['A', 'D']);
  });

  it('does not look into reminders that a client adds', () => {
    const text = '<system-reminder>\nUse [[tool:A {}]]\n</system-reminder>Please [[tool:B {}]]';
    expect(findMarkedCalls(text).map(({ name }) => name)).toEqual(['B']);
  });
});
