import { describe, expect, it } from 'vitest';
import { resourceBytes, resourceFileName } from '../../../../src/mcp/catalog/resourceFile.js';
import { expandTemplate, templateVariables } from '../../../../src/mcp/catalog/uriTemplate.js';

describe('uriTemplate', () => {
  it.each([
    ['file:///{path}', { path: 'a b/c' }, 'file:///a%20b%2Fc'],
    ['file:///{+path}', { path: 'a b/c' }, 'file:///a%20b/c'],
    ['demo://{kind}/{id}', { kind: 'x', id: '1' }, 'demo://x/1'],
    ['a:{/first,second}', { first: '1', second: '2' }, 'a:/1/2'],
    ['a:b{?q,lang}', { q: 'x&y', lang: 'en' }, 'a:b?q=x%26y&lang=en'],
    ['a:b{?q,lang}', { lang: 'en' }, 'a:b?lang=en'],
    ['a:b?x=1{&q}', { q: '2' }, 'a:b?x=1&q=2'],
    ['a:b{#part}', { part: 'top' }, 'a:b#top'],
    ['a:{name:3}', { name: 'abcdef' }, 'a:abc'],
    ['a:{rest*}', { rest: 'x' }, 'a:x'],
    ['a:{missing}/b', {}, 'a:/b'],
    ['a:{constructor}{__proto__}/b', {}, 'a:/b'],
    ['a:{half}{+half}', { half: '\ud800' }, 'a:%EF%BF%BD%EF%BF%BD'],
    ['a:{pair:1}', { pair: '😀x' }, 'a:%F0%9F%98%80'],
  ])('expands %s', (template, values, expected) => {
    expect(expandTemplate(template, values)).toBe(expected);
  });

  it('names each variable once, in order', () => {
    expect(templateVariables('a:{b}{?c*,b,d:2}')).toEqual(['b', 'c', 'd']);
  });
});

describe('resourceFile', () => {
  it.each([
    ['demo://docs/architecture.md', 'text/markdown', 'architecture.md'],
    ['demo://docs/about?x=1', 'text/markdown', 'about.md'],
    ['demo://text/1', 'text/plain', '1.txt'],
    ['file:///a%2F..%2Fb', undefined, 'a_.._b'],
    ['demo://', undefined, 'demo_'],
    ['x:%zz', undefined, 'x_%zz'],
  ])('names the file of %s', (uri, mimeType, name) => {
    expect(resourceFileName(uri, mimeType)).toBe(name);
  });

  it('gives text and bytes as they are, and several contents with headings', () => {
    const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8');
    expect(text(resourceBytes([{ uri: 'a:1', text: 'ä' }]))).toBe('ä');
    expect([...resourceBytes([{ uri: 'a:1', blob: 'AAEC' }])]).toEqual([0, 1, 2]);
    const both = resourceBytes([
      { uri: 'a:1', text: 'one' },
      { uri: 'a:2', blob: 'AAEC', mimeType: 'image/png' },
    ]);
    expect(text(both)).toBe('# a:1\n\none\n\n# a:2\n\n[3 bytes of image/png]\n');
  });
});
