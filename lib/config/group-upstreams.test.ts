import { describe, expect, it } from 'vitest';
import { groupUpstreams } from './group-upstreams.ts';

const urls = (config: { replicas: readonly { url: string }[] } | undefined) => config?.replicas.map(({ url }) => url);

describe('groupUpstreams', () => {
  it('groups replicas of one model in the order of the list', () => {
    const [qwen, llama, ...rest] = groupUpstreams([
      { url: 'http://a', models: ['qwen'] },
      { url: 'http://b', models: ['llama'] },
      { url: 'http://c', models: ['qwen'] },
    ]);
    expect(rest).toEqual([]);
    expect(urls(qwen)).toEqual(['http://a', 'http://c']);
    expect(urls(llama)).toEqual(['http://b']);
    expect(qwen?.aliases).toEqual([]);
  });

  it('keeps the place of a URL that has not answered yet', () => {
    const [qwen] = groupUpstreams([
      { url: 'http://a', models: null },
      { url: 'http://b', models: ['qwen', 'qwen-second-name'] },
    ]);
    expect(urls(qwen)).toEqual(['http://a', 'http://b']);
    expect(qwen?.aliases).toEqual(['qwen-second-name', 'claude-*']);
  });

  it('waits with a silent URL where the others serve several models, and has none where nobody answered', () => {
    const groups = groupUpstreams([
      { url: 'http://a', models: null },
      { url: 'http://b', models: ['x'] },
      { url: 'http://c', models: ['y'] },
    ]);
    expect(groups.map(urls)).toEqual([['http://b'], ['http://c']]);
    expect(groupUpstreams([{ url: 'http://a', models: null }])).toEqual([]);
  });
});
