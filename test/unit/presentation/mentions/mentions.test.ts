import { describe, expect, it } from 'vitest';
import { fuzzyText } from '../../../../src/base/text/fuzzy.js';
import { folderTree } from '../../../../src/presentation/mentions/folderTree.js';
import { bonusOfRecent, maxRows, rank } from '../../../../src/presentation/mentions/ranking.js';
import { filesParam } from '../../../../src/presentation/params.js';

const named = (name: string, bonus = 0) => ({ name, search: fuzzyText(name), bonus });

describe('the rows of the menu', () => {
  it('have the best first, and open files before others that are as good', () => {
    const files = [
      named('src/cart.ts'),
      named('lib/cart.ts', bonusOfRecent(3)),
      named('old/cart.ts', bonusOfRecent(0)),
      named('src/other.ts', bonusOfRecent(0)),
    ];
    expect(rank('cart', files).map(({ name }) => name)).toEqual([
      'old/cart.ts',
      'lib/cart.ts',
      'src/cart.ts',
    ]);
  });

  it('are no more than a menu shows, of 50,000 files', () => {
    const files = Array.from({ length: 50_000 }, (_, at) =>
      named(`packages/p${at % 90}/f${at}.ts`),
    );
    const rows = rank('f49999', files);
    expect(rows[0]?.name).toBe('packages/p49/f49999.ts');
    expect(rank('f', files)).toHaveLength(maxRows);
    expect(rank('', files).map(({ name }) => name)).toEqual(
      files.slice(0, maxRows).map(({ name }) => name),
    );
  });
});

describe('a folder', () => {
  it('is told as a tree, folders first', () => {
    expect(folderTree(['b.ts', 'a/z.ts', 'a/b/c d#.ts', 'A.md'])).toBe(
      'a/\n  b/\n    c d#.ts\n  z.ts\nA.md\nb.ts',
    );
    expect(folderTree([])).toBe('');
  });

  it('is told in no more lines than anybody reads', () => {
    const tree = folderTree(Array.from({ length: 1_000 }, (_, at) => `d/${at}.ts`)).split('\n');
    expect(tree).toHaveLength(401);
    expect(tree.at(-1)).toBe('[601 more files]');
  });
});

describe('files of a page', () => {
  it('have no path in their name, and no more than is taken', () => {
    const files = filesParam({ files: [{ name: '../../etc/passwd', data: 'QUJD' }] }, 'files');
    expect(files).toEqual([{ name: '.._.._etc_passwd', data: 'QUJD' }]);
    const many = Array.from({ length: 50 }, () => ({ name: 'a', data: '' }));
    expect(filesParam({ files: many }, 'files')).toHaveLength(20);
    expect(() => filesParam({ files: ['a'] }, 'files')).toThrow('Invalid message');
    expect(() => filesParam({ files: [{ name: 'a' }] }, 'files')).toThrow('Invalid message');
  });
});
