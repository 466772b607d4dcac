/** The floors of `src/`, the rooms of its larger floors, and what breaks their order. Pure, so that every rule can be shown to fail. */
import { posix } from 'node:path';

/** File → the files that it imports, types included. */
export type Arrows = ReadonlyMap<string, readonly string[]>;

/** Folder → its rooms from the top; those on one line may import one another in one direction. `.`: its own files. */
const orders: Readonly<Record<string, readonly (readonly string[])[]>> = {
  src: [
    ['extension.ts', 'cli.ts'],
    ['vscode'],
    ['cli', 'presentation'],
    ['agent', 'gateway', 'webview'],
    ['protocol'],
    ['mcp'],
    ['config'],
    ['platform'],
    ['base', 'contributions.ts'],
  ],
  'src/agent': [
    ['panel'],
    ['live'],
    ['session'],
    ['apps', 'tools', 'models'],
    ['branches', 'context', 'conversations', 'builtIn'],
    ['transcript'],
    ['changes', 'queue'],
    ['pi', 'policy'],
    ['reading'],
  ],
  'src/gateway': [['.'], ['mock'], ['rest', 'wire'], ['lending'], ['http', 'socket']],
  'src/mcp': [
    ['service'],
    ['server'],
    ['apps', 'bundles', 'callLog', 'catalog', 'otherClients', 'registry', 'tasks', 'traffic'],
    ['connection'],
    ['oauth', 'trust'],
    ['trouble'],
    ['validation', '.'],
  ],
  'src/mcp/connection': [
    ['.'],
    ['clientEngine', 'sdkEngine'],
    ['session'],
    ['http', 'stdio'],
    ['reading'],
  ],
  'src/config': [
    ['discovery', 'edit', 'export', 'language', 'lint', 'fixes', 'imports', 'paste', 'inputs'],
    ['parse', 'roots'],
    ['launch'],
    ['secrets', 'schema'],
    ['.'],
  ],
  'src/platform': [['environment'], ['npx', 'process'], ['stores'], ['.']],
};

export const maxFilesOfFolder = 15;

/** Lines that each room may have; `.`: the files beside them. Whoever raises one says in a commit of its own what for. */
const budgets: Readonly<Record<string, number>> = {
  agent: 27_747,
  base: 3_568,
  cli: 3_643,
  config: 16_191,
  gateway: 5_152,
  mcp: 34_480,
  platform: 5_105,
  presentation: 10_402,
  protocol: 2_818,
  vscode: 16_394,
  webview: 21_343,
  '.': 513,
};
export const maxFiles = 1_320;
/** Lines of all that is TypeScript or a script in `test/`. */
export const maxTestLines = 142_478;

/** Rooms with more lines than they may have. @param lines of each file of `src/` */
export function overBudget(lines: ReadonlyMap<string, number>): readonly string[] {
  const sums = new Map<string, number>();
  for (const [file, count] of lines) {
    const [, room = '', ...rest] = file.split('/');
    const name = rest.length > 0 ? room : '.';
    sums.set(name, (sums.get(name) ?? 0) + count);
  }
  return [...sums].flatMap(([room, sum]) =>
    sum > (budgets[room] ?? 0) ? [`${room}: ${sum} of ${budgets[room] ?? 0}`] : [],
  );
}

/** The part of an ordered folder that a file belongs to. */
function roomOf(folder: string, file: string): string {
  const [first = '', ...rest] = file.slice(folder.length + 1).split('/');
  return rest.length > 0 || folder === 'src' ? first : '.';
}

/** Files in no room of an ordered folder. */
export function homeless(files: readonly string[]): readonly string[] {
  return Object.entries(orders).flatMap(([folder, order]) =>
    files.filter((file) => isIn(folder, file) && !order.flat().includes(roomOf(folder, file))),
  );
}

export function upwardArrows(arrows: Arrows): readonly string[] {
  return Object.entries(orders).flatMap(([folder, order]) => {
    const height = (file: string) =>
      order.findIndex((rooms) => rooms.includes(roomOf(folder, file)));
    return listArrows(arrows)
      .filter(([from, to]) => isIn(folder, from) && isIn(folder, to) && height(to) < height(from))
      .map(([from, to]) => `${from} → ${to}`);
  });
}

/** A circle of the files, or of the rooms of an ordered folder. */
export function circles(arrows: Arrows): readonly (readonly string[])[] {
  const ofRooms = Object.keys(orders).map((folder) => {
    const rooms = new Map<string, string[]>();
    for (const [from, to] of listArrows(arrows)) {
      const [a, b] = [roomOf(folder, from), roomOf(folder, to)];
      if (isIn(folder, from) && isIn(folder, to) && a !== b) {
        rooms.set(a, [...(rooms.get(a) ?? []), b]);
      }
    }
    return rooms;
  });
  return [arrows, ...ofRooms].map(findCircle).filter((circle) => circle !== undefined);
}

/** Two folders, neither in the other, that import each other. */
export function mutualFolders(arrows: Arrows): readonly string[] {
  const pairs = new Set(
    listArrows(arrows).map(([from, to]) => `${posix.dirname(from)} ${posix.dirname(to)}`),
  );
  return [...pairs].filter((pair) => {
    const [a = '', b = ''] = pair.split(' ');
    return a < b && !isIn(a, b) && pairs.has(`${b} ${a}`);
  });
}

export function fullFolders(files: readonly string[]): readonly string[] {
  const folders = files.map((file) => posix.dirname(file));
  return [...new Set(folders)].filter(
    (folder) => folders.filter((one) => one === folder).length > maxFilesOfFolder,
  );
}

/** Files of `vscode/` that could do without it, and files of `presentation/` that cannot do without a host. */
export function misplaced(specifiers: ReadonlyMap<string, readonly string[]>): readonly string[] {
  return [...specifiers].flatMap(([file, named]) => {
    const isWrong = isIn('src/vscode', file)
      ? !named.includes('vscode')
      : isIn('src/presentation', file) && named.some((one) => /^(?:vscode$|node:)/.test(one));
    return isWrong ? [file] : [];
  });
}

/** Every import of a source, types included. */
export function specifiersOf(text: string): readonly string[] {
  const found = text.matchAll(/\b(?:from|import)\s*\(?\s*'([^']+)'/g);
  return [...found].map(([, specifier = '']) => specifier);
}

/** The imports among them that lead to files of the repository. */
export function targetsOf(file: string, text: string): readonly string[] {
  return specifiersOf(text)
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => posix.join(posix.dirname(file), specifier).replace(/\.js$/, '.ts'));
}

function listArrows(arrows: Arrows): readonly (readonly [string, string])[] {
  return [...arrows].flatMap(([from, targets]) => targets.map((to) => [from, to] as const));
}

function isIn(folder: string, path: string): boolean {
  return path.startsWith(`${folder}/`);
}

function findCircle(arrows: Arrows): readonly string[] | undefined {
  const finished = new Set<string>();
  const visit = (file: string, path: readonly string[]): readonly string[] | undefined => {
    if (path.includes(file)) {
      return [...path.slice(path.indexOf(file)), file];
    }
    if (finished.has(file)) {
      return undefined;
    }
    for (const target of arrows.get(file) ?? []) {
      const circle = visit(target, [...path, file]);
      if (circle) {
        return circle;
      }
    }
    finished.add(file);
    return undefined;
  };
  for (const file of arrows.keys()) {
    const circle = visit(file, []);
    if (circle) {
      return circle;
    }
  }
  return undefined;
}
