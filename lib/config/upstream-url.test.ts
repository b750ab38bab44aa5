import { describe, expect, it } from 'vitest';
import { isRefusedHost, readUpstreamUrl } from './upstream-url.ts';

describe('readUpstreamUrl', () => {
  it.each([
    ['gpu-box:8000', 'http://gpu-box:8000'],
    [' http://gpu-box:8000/v1/ ', 'http://gpu-box:8000'],
    ['https://engine.example/team-a/v1', 'https://engine.example/team-a'],
    ['http://[::1]:8000', 'http://[::1]:8000'],
    ['10.0.0.7', 'http://10.0.0.7'],
  ])('keeps of %s what names the engine', (text, url) => {
    expect(readUpstreamUrl(text)).toMatchObject({ ok: true, url });
  });

  it.each([
    ['', 'not_a_url'],
    ['gpu box', 'not_a_url'],
    ['http://', 'not_a_url'],
    ['file:///etc/passwd', 'not_a_url'],
    ['ftp://gpu-box/', 'scheme'],
    ['gopher://gpu-box:70/', 'scheme'],
    ['http://me:secret@gpu-box:8000', 'credentials'],
    ['http://gpu-box:8000/?key=secret', 'query'],
    ['http://169.254.169.254', 'refused_host'],
    ['http://metadata.google.internal./', 'refused_host'],
  ])('refuses %s (%s)', (text, problem) => {
    expect(readUpstreamUrl(text)).toMatchObject({ ok: false, problem });
  });

  it('never repeats a password in its message', () => {
    expect(JSON.stringify(readUpstreamUrl('http://me:hunter2@gpu-box'))).not.toContain('hunter2');
  });

  it.each([
    'http://0xa9fea9fe/',
    'http://2852039166/',
    'http://0251.0376.0251.0376/',
    'http://[::ffff:169.254.169.254]/',
    'http://[64:ff9b::169.254.169.254]/',
    'http://[fe80::1]/',
    'http://METADATA/',
  ])('sees through the spelling %s', (text) => {
    expect(readUpstreamUrl(text)).toMatchObject({ ok: false, problem: 'refused_host' });
  });

  it('takes a link-local host that the configuration allows, and only that one', () => {
    expect(readUpstreamUrl('http://169.254.7.7:8000', ['169.254.7.7'])).toMatchObject({ ok: true });
    expect(readUpstreamUrl('http://[fe80::7]:8000', ['fe80::7'])).toMatchObject({ ok: true });
    expect(readUpstreamUrl('http://169.254.169.254', ['169.254.7.7'])).toMatchObject({ ok: false });
  });
});

describe('isRefusedHost', () => {
  it.each(['127.0.0.1', '10.1.2.3', '169.253.1.1', '::1', 'fd00::7', 'gpu-box', '169.254.example.org', 'fec0::1'])(
    'lets %s pass',
    (host) => {
      expect(isRefusedHost(host)).toBe(false);
    },
  );

  it.each(['169.254.0.1', 'fe80::1%eth0', 'febf::1', '[fe80::1]', '::ffff:169.254.1.1', '::ffff:a9fe:101'])(
    'refuses %s as an address that a name resolved to',
    (host) => {
      expect(isRefusedHost(host)).toBe(true);
    },
  );
});
