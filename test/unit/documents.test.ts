/** What the documents say about the repository is so: paths, rooms of the map, scripts and names of code. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { documents } from '../helpers/documents/markdown.js';

const contributing = readFileSync('CONTRIBUTING.md', 'utf8');
const development = readFileSync('docs/development.md', 'utf8');

/** Paths from the root in `code`, as far as they name one file or folder, and the targets of links. */
function pathsIn(document: string, text: string): readonly string[] {
  const named = text.matchAll(/`((?:src|test|media|l10n|docs|build)\/[\w./@-]*)(?= |`)/g);
  const links = text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g);
  const written = [...named].map(([, path = '']) => path);
  return [...written, ...[...links].map(([, path = '']) => join(dirname(document), path))];
}

function missing(document: string, text: string): readonly string[] {
  return pathsIn(document, text).filter((path) => !existsSync(path));
}

/** Each `room/` below the line of its floor. */
function roomsOfMap(map: string): ReadonlyMap<string, readonly string[]> {
  const rooms = new Map<string, string[]>();
  let floor = '';
  for (const line of map.split('\n')) {
    floor = /^(src\/\S*)/.exec(line)?.[1] ?? floor;
    const [list = ''] = /^ +(?:\w+\/ ?)+/.exec(line) ?? [];
    rooms.set(floor, [...(rooms.get(floor) ?? []), ...list.split(/[ /]+/).filter(Boolean)]);
  }
  return rooms;
}

describe.each(documents)('%s', (document) => {
  it('names only files and folders that exist', () => {
    expect(missing(document, readFileSync(document, 'utf8'))).toEqual([]);
  });
});

it('finds a path that does not exist', () => {
  expect(missing('test/a.md', '`src/none.ts`, [x](none.md), `src/cli.ts` and `test/`')).toEqual([
    'src/none.ts',
    'test/none.md',
  ]);
});

/** Floors and files of `src/`, as the documents write them. */
function floorsOf(): readonly string[] {
  const floors = readdirSync('src', { withFileTypes: true });
  return floors.map((entry) => `src/${entry.name}${entry.isDirectory() ? '/' : ''}`).sort();
}

it('has every floor in the map of CONTRIBUTING.md', () => {
  const [, map = ''] = /```\n(src\/[\s\S]*?)```/.exec(contributing) ?? [];
  const named = [...map.matchAll(/src\/[\w.]+\/?/g)].map(([name]) => name);
  expect(named.sort()).toEqual(floorsOf());
});

describe('the map of docs/development.md', () => {
  const [, map = ''] = /```\n(src\/[\s\S]*?)```/.exec(development) ?? [];
  const rooms = roomsOfMap(map);

  it('has every floor', () => {
    expect([...rooms.keys()].sort()).toEqual(floorsOf());
  });

  it.each([...rooms].filter(([, named]) => named.length > 0))(
    'has the rooms of %s',
    (floor, named) => {
      const folders = readdirSync(floor, { withFileTypes: true }).filter((one) =>
        one.isDirectory(),
      );
      expect([...named].sort()).toEqual(folders.map(({ name }) => name).sort());
    },
  );
});

it('names only scripts that package.json has', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  const named = documents.flatMap((document) => [
    ...readFileSync(document, 'utf8').matchAll(/`npm run ([\w:]+)/g),
  ]);
  expect(named.map(([, script = '']) => script).filter((script) => !(script in scripts))).toEqual(
    [],
  );
});

it('says of every script what it is for', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  const texts = [contributing, development].join('\n');
  // npm and vsce run these
  const unnamed = ['start', 'test', 'vscode:prepublish', 'prepack'];
  const missed = Object.keys(scripts).filter((script) => !texts.includes(`npm run ${script}`));
  expect(missed.filter((script) => !unnamed.includes(script))).toEqual([]);
});

it('names only tables that are in the files beside them', () => {
  const claims = [...development.matchAll(/`(\w+)` of `(src\/[\w/.]+)`/g)];
  const wrong = claims.filter(
    ([, name = '', path = '']) => !readFileSync(path, 'utf8').includes(name),
  );
  expect(claims.length).toBeGreaterThan(0);
  expect(wrong.map(([claim]) => claim)).toEqual([]);
});
