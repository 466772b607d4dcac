/** Links between the documents lead to files and headings that exist, and every page and picture is linked. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { anchorsOf, documents, linksOf } from '../../helpers/documents/markdown.js';

function deadLinks(document: string, text: string): readonly string[] {
  return linksOf(document, text)
    .filter(({ path, anchor }) => {
      const target = path === document ? text : undefined;
      return !existsSync(path)
        ? target === undefined
        : anchor !== undefined && !anchorsOf(target ?? readFileSync(path, 'utf8')).has(anchor);
    })
    .map(({ target }) => target);
}

const linked = new Set(
  documents.flatMap((document) =>
    linksOf(document, readFileSync(document, 'utf8')).map(({ path }) => path),
  ),
);

it.each(documents)('%s links to what exists', (document) => {
  expect(deadLinks(document, readFileSync(document, 'utf8'))).toEqual([]);
});

it('finds links to nothing', () => {
  const text = '# A `b.c`: d\n## E\n## E\n[x](#a-bc-d) [x](#e-1) [x](#e-2) [x](none.md) `[x](y)`';
  expect(deadLinks('README.md', text)).toEqual(['#e-2', 'none.md']);
  expect(deadLinks('docs/a.md', '[x](../README.md#none) ![x](../media/none.png)')).toEqual([
    '../README.md#none',
    '../media/none.png',
  ]);
});

it('links every page and shows every picture', () => {
  const all = [...globSync('docs/*'), ...globSync('media/screenshots/*')];
  expect(all.length).toBeGreaterThan(17);
  expect(all.filter((path) => !linked.has(path))).toEqual([]);
});

it('says something for whoever does not see a picture', () => {
  const silent = documents.filter((document) => /!\[\s*\]\(/.test(readFileSync(document, 'utf8')));
  expect(silent).toEqual([]);
});
