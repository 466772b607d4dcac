/**
 * Files with the shapes of those of real repositories. `expected.json` says what is found in which of them; what is
 * found, but of no use to anybody, is marked with `false alarm`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ConfigProblem } from '../../../../src/config/definition.js';
import { lintConfig } from '../../../../src/config/lint/lintConfig.js';
import type { LintSurroundings, OtherClient } from '../../../../src/config/lint/lintTypes.js';
import type { ConfigFileLocation } from '../../../../src/config/parse/configLocations.js';
import { parseJsonDocument } from '../../../../src/config/parse/jsonDocument.js';
import { parseLocation } from '../../../../src/config/parse/parseLocation.js';

const root = 'test/fixtures/realFiles';
const blocks = {
  vscode: ['vscode', 'servers'],
  cursor: ['cursor', 'mcpServers'],
  'claude-desktop': ['claude-desktop', 'mcpServers'],
  codex: ['codex', 'mcp_servers'],
  opencode: ['opencode', 'mcp'],
  zed: [undefined, 'context_servers'],
} as const;

const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => /\/.+\.(?:json|toml)$/.test(file))
  .sort();
const expected: Readonly<Record<string, readonly string[]>> = JSON.parse(
  readFileSync(join(root, 'expected.json'), 'utf8'),
);

function locationOf(file: string): ConfigFileLocation {
  const path = `/work/${file}`;
  const [folder = ''] = file.split('/');
  if (!Object.hasOwn(blocks, folder)) {
    return { path, layer: 'project', isForeignFile: false, isPrimary: true };
  }
  const [importSource, block] = blocks[folder as keyof typeof blocks];
  return {
    path,
    layer: 'import',
    isForeignFile: true,
    isPrimary: false,
    block: [block],
    ...(importSource ? { importSource } : {}),
  };
}

/** A machine that has all that the files name. */
const surroundings = (clients: readonly OtherClient[]): LintSurroundings => ({
  isVariableSet: () => true,
  findCommand: async () => ({ isFound: true, searchedCount: 1 }),
  findRoot: async (path) => ({ kind: 'given', path }),
  isDirectory: async () => true,
  isIgnoredByGit: async () => false,
  usesClient: (client) => clients.includes(client),
  cwdOf: () => '/work',
});

async function problemsOf(
  file: string,
  clients: readonly OtherClient[] = [],
): Promise<readonly (ConfigProblem & { readonly about: string })[]> {
  const text = readFileSync(join(root, file), 'utf8');
  const location = locationOf(file);
  const parsed = parseLocation(text, location);
  const isOurs = location.layer === 'project';
  const document = parseJsonDocument(isOurs ? text : '{}');
  const findings = isOurs
    ? await lintConfig({ file: parsed, document, isCommitted: true }, surroundings(clients))
    : [];
  return [
    ...parsed.problems,
    ...parsed.entries.flatMap(({ problems }) => problems),
    ...findings,
  ].map((problem) => {
    const { start = 0, end = 0 } = problem.range ?? {};
    const place = text.slice(start, end).replace(/\s+/g, ' ');
    return { ...problem, about: `${problem.severity} ${problem.code}: ${place}` };
  });
}

const isMistaken = (file: string) => file.startsWith('mistakes/');
const falseAlarm = ' (false alarm)';
const told = (file: string) => (expected[file] ?? []).map((line) => line.replace(falseAlarm, ''));

describe('in files as repositories have them', () => {
  it.each(files)('%s: what is expected is found, and nothing else', async (file) => {
    const found = (await problemsOf(file)).map(({ about }) => about);
    expect(found.sort()).toEqual(told(file).toSorted());
  });

  it('expects nothing of files that are not there', () => {
    expect(Object.keys(expected).filter((file) => !files.includes(file))).toEqual([]);
    expect(files.length).toBeGreaterThanOrEqual(60);
  });

  it('marks hardly any text of a good file, and every mistake', () => {
    const isMarked = (file: string) => told(file).some((line) => !line.startsWith('hint '));
    const good = files.filter((file) => !isMistaken(file));
    expect(good.filter(isMarked).length / good.length).toBeLessThanOrEqual(0.1);
    expect(files.filter((file) => isMistaken(file) && !isMarked(file))).toEqual([]);
  });

  it('is right with every rule at least nineteen times of twenty', () => {
    const hits = new Map<string, { right: number; all: number }>();
    for (const line of Object.values(expected).flat()) {
      const [, rule = ''] = /^\w+ ([\w-]+):/.exec(line) ?? [];
      const { right, all } = hits.get(rule) ?? { right: 0, all: 0 };
      hits.set(rule, { right: right + (line.endsWith(falseAlarm) ? 0 : 1), all: all + 1 });
    }
    const unreliable = [...hits].filter(([, { right, all }]) => right / all < 0.95);
    expect(unreliable).toEqual([]);
    expect(hits.size).toBeGreaterThan(10);
  });

  it('says what Claude Code and VS Code make of a file where they are used alone', async () => {
    const file = 'project/bare-map.json';
    const codes = async (...clients: readonly OtherClient[]) =>
      (await problemsOf(file, clients)).map(({ code }) => code);
    expect(await codes()).toEqual([]);
    expect(await codes('claude-code')).toEqual(['claude-code-shape']);
    const named = await problemsOf('project/name-with-dots.json', ['claude-code']);
    expect(named.map(({ code }) => code)).toEqual(['claude-code-name']);
    const variables = await problemsOf('project/npx-env-default.json', ['vscode']);
    expect(variables.map(({ code }) => code)).toEqual(['vscode-no-variables']);
  });
});
