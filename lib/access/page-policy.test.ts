import { describe, expect, it } from 'vitest';
import { inlineScripts, isPageData, pagePolicy } from './page-policy.ts';

describe('the inline scripts of a page', () => {
  it('are those without a source', () => {
    const html = '<script>a()</script><script src="/x.js" async="">b()</script><SCRIPT id="c">c("</p>")</SCRIPT>';
    expect(inlineScripts(html)).toEqual(['a()', 'c("</p>")']);
  });

  it.each([
    'self.__next_f.push([1,"1:\\"$Sreact\\"\\n"])',
    '(self.__next_f=self.__next_f||[]).push([0])',
    '(globalThis["TURBOPACK"] || (globalThis["TURBOPACK"] = [])).push({"otherChunks":["static/chunks/a.js"],"runtimeModuleIds":[1]});',
  ])('are data: %s', (script) => {
    expect(isPageData(script)).toBe(true);
  });

  it.each([
    'alert(1)',
    'self.__next_f.push([1,alert(1)])',
    'self.__next_f.push([1,"a"]);alert(1)',
    'self.__next_f.push([1]),alert([2])',
    'self.__next_f.push([1,"a"])//\nalert([1])',
    'self.__next_f.push(alert(1))',
    '(self.__next_f=alert(1)||[]).push([0])',
    'self.__next_f.push([1,`${alert(1)}`])',
    '',
  ])('are not data: %s', (script) => {
    expect(isPageData(script)).toBe(false);
  });
});

it('a policy lets no inline script run but those with the given hashes, and nobody frame the page', () => {
  const policy = pagePolicy(['sha256-abc=']);
  expect(policy).toContain("script-src 'self' 'sha256-abc=';");
  expect(policy.split('; ').find((part) => part.startsWith('script-src'))).not.toContain('unsafe');
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).toContain("base-uri 'none'");
});
