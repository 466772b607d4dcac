import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { McpStdioLaunch } from '../../../../src/config/definition.js';
import {
  machineSurroundings,
  workingDirectory,
} from '../../../../src/config/lint/machineSurroundings.js';
import { fakeFolder } from '../../../helpers/fakes/fakeMcp.js';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pi-mcp-machine-'));
});

afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});

function surroundings(options: { readonly isTrusted: boolean; readonly path?: string }) {
  let asked = 0;
  const result = machineSurroundings({
    environment: {
      platform: 'linux',
      homeDir: root,
      getVariable: (name) => (name === 'SET' ? '' : undefined),
      allVariables: () => ({}),
      loginShellPath: async () => {
        asked++;
        return options.path ?? '';
      },
    },
    folder: { uri: 'file:///f', name: 'f', fsPath: root },
    isTrusted: options.isTrusted,
  });
  return { ...result, asked: () => asked };
}

async function program(...path: readonly string[]): Promise<string> {
  const file = join(root, ...path);
  await mkdir(join(file, '..'), { recursive: true });
  await writeFile(file, '#!/bin/sh\n');
  await chmod(file, 0o755);
  return file;
}

function launch(cwd?: string): { readonly launch: McpStdioLaunch } {
  const stdio = { kind: 'stdio', command: 'x', args: [], env: {}, inheritEnv: false } as const;
  return { launch: cwd === undefined ? stdio : { ...stdio, cwd } };
}

describe('machineSurroundings', () => {
  it('finds a program on the PATH that will be used, and asks for that once', async () => {
    await program('bin', 'tool');
    const { findCommand, asked } = surroundings({ isTrusted: true, path: join(root, 'bin') });
    expect(await findCommand('tool', root)).toEqual({ isFound: true, searchedCount: 1 });
    await findCommand('tool', root);
    expect(asked()).toBe(1);
  });

  it('says where a program is that the PATH lacks', async () => {
    const file = await program('node_modules', '.bin', 'tool');
    const { findCommand } = surroundings({ isTrusted: true, path: join(root, 'bin') });
    expect(await findCommand('tool', root)).toEqual({
      isFound: false,
      elsewhere: file,
      searchedCount: 1,
    });
  });

  it('looks for nothing and asks no shell in Restricted Mode', async () => {
    const { findCommand, asked } = surroundings({ isTrusted: false });
    expect(await findCommand('tool', root)).toMatchObject({ isFound: true });
    expect(asked()).toBe(0);
  });

  it('reads the ignore files of a repository once it is trusted', async () => {
    await mkdir(join(root, '.git'));
    await writeFile(join(root, '.gitignore'), '.mcp.json');
    const asked = [true, false].map((isTrusted) =>
      surroundings({ isTrusted }).isIgnoredByGit(join(root, '.mcp.json')),
    );
    expect(await Promise.all(asked)).toEqual([true, false]);
  });

  it('knows set variables, empty ones included, and directories', async () => {
    const { isVariableSet, isDirectory } = surroundings({ isTrusted: true });
    expect([isVariableSet('SET'), isVariableSet('UNSET')]).toEqual([true, false]);
    const file = await program('file');
    expect(await Promise.all([root, file, join(root, 'no')].map(isDirectory))).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe('workingDirectory', () => {
  const folder = fakeFolder('api');

  it.each([
    [undefined, '/work/api'],
    ['sub', '/work/api/sub'],
    ['/abs', '/abs'],
    ['${workspaceFolder}/x', '/work/api/x'],
    ['${userHome}/x', '/home/user/x'],
    ['~/x', '/home/user/x'],
    ['${SOMEWHERE}/x', undefined],
  ])('takes %s as %s', (cwd, expected) => {
    expect(workingDirectory(launch(cwd), folder, '/home/user')).toBe(expected);
  });

  it('is the home of the user for their own files', () => {
    expect(workingDirectory(launch(), undefined, '/home/user')).toBe('/home/user');
  });
});
