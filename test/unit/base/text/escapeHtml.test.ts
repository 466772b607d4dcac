import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { escapeHtml } from '../../../../src/base/text/escapeHtml.js';

it('leaves nothing that begins an element or ends an attribute', () => {
  const text = `<a b="c" d='e'>&amp;</a>`;
  expect(escapeHtml(text)).toBe('&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;amp;&lt;/a&gt;');
  expect(escapeHtml('plain – text')).toBe('plain – text');
});

it('is there once', () => {
  const makers = globSync('src/**/*.ts').filter((path) =>
    /function \w*[eE]scapeHtml\w*\(|&(?:lt|#60|#x3c);['"`]/.test(readFileSync(path, 'utf8')),
  );
  expect(makers).toEqual(['src/base/text/escapeHtml.ts']);
});
