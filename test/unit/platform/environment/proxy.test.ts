import { describe, expect, it } from 'vitest';
import { createNodeHostEnvironment } from '../../../../src/platform/environment/nodeHostEnvironment.js';
import { findProxy } from '../../../../src/platform/environment/proxy.js';

const proxy = 'http://ada:pa55word@proxy.example:3128';

function find(address: string, env: Record<string, string>, setting?: string) {
  const host = createNodeHostEnvironment({ env, platform: 'linux' });
  return findProxy(address, { ...host, proxySetting: () => setting });
}

describe('the proxy of an address', () => {
  it.each([
    ['https://a.example/', { HTTPS_PROXY: proxy }, 'proxy.example:3128'],
    ['https://a.example/', { https_proxy: proxy }, 'proxy.example:3128'],
    ['https://a.example/', { HTTP_PROXY: proxy }, 'proxy.example:3128'],
    ['http://a.example/', { HTTP_PROXY: proxy }, 'proxy.example:3128'],
    ['http://a.example/', { HTTPS_PROXY: proxy }, undefined],
    ['https://a.example/', { HTTPS_PROXY: 'no address' }, undefined],
    ['no address', { HTTPS_PROXY: proxy }, undefined],
    ['https://a.example/', {}, undefined],
  ])('of %s with %j is said without its account', (address, env, expected) => {
    expect(find(address, env as Record<string, string>)).toBe(expected);
  });

  it.each([
    ['a.example', true],
    ['.example', true],
    ['*.example', true],
    ['b.example, a.example', true],
    ['a.example:443', true],
    ['a.example:8443', false],
    ['other.example', false],
    ['ple', false],
    ['*', true],
  ])('is none where NO_PROXY is %s: %s', (noProxy, isLeftOut) => {
    const found = find('https://a.example/', { HTTPS_PROXY: proxy, NO_PROXY: noProxy });
    expect(found === undefined).toBe(isLeftOut);
  });

  it('is the one of the editor where that has one', () => {
    const env = { HTTPS_PROXY: proxy };
    expect(find('https://a.example/', env, 'http://editor.example')).toBe('editor.example');
  });
});
