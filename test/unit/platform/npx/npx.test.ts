import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { npxCacheFolder } from '../../../../src/platform/npx/npmCache.js';
import { parseNpxCommand } from '../../../../src/platform/npx/npxCommand.js';
import { resolveNpx } from '../../../../src/platform/npx/resolveNpx.js';
import type { HostEnvironment } from '../../../../src/platform/ports.js';

let root: string;
let environment: HostEnvironment;

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'npx-'));
  environment = {
    platform: 'linux',
    homeDir: root,
    getVariable: () => undefined,
    allVariables: () => ({}),
    loginShellPath: async () => '/bin',
  };
});
afterEach(() => rm(root, { recursive: true, force: true }));

interface Installation {
  readonly name: string;
  readonly version: string;
  readonly bin?: string | Record<string, string>;
  readonly script?: string;
}

async function install(nodeModules: string, what: Installation): Promise<string> {
  const folder = path.join(nodeModules, what.name);
  await mkdir(folder, { recursive: true });
  const bin = what.bin ?? 'run.js';
  const manifest = { name: what.name, version: what.version, bin };
  await writeFile(path.join(folder, 'package.json'), JSON.stringify(manifest));
  const files = typeof bin === 'string' ? [bin] : Object.values(bin);
  for (const file of files) {
    await writeFile(path.join(folder, file), what.script ?? '#!/usr/bin/env node\n');
    await chmod(path.join(folder, file), 0o755);
  }
  return folder;
}

async function cached(spec: string): Promise<string> {
  return path.join(await npxCacheFolder(spec, environment), 'node_modules');
}

async function resolve(line: string, now?: number) {
  const [command = '', ...args] = line.split(' ');
  const launch = {
    kind: 'stdio' as const,
    command,
    args,
    env: {},
    cwd: path.join(root, 'project', 'deep'),
    inheritEnv: false,
    secrets: [],
  };
  const found = await resolveNpx(launch, environment, now === undefined ? {} : { now: () => now });
  return found && [found.request.command, ...found.request.args];
}

describe('npxCacheFolder', () => {
  it('is in the home of the process that npm runs in, wherever the configuration files are', async () => {
    const real = {
      ...environment,
      getVariable: (name: string) => (name === 'HOME' ? '/real' : undefined),
    };
    expect(await npxCacheFolder('a', real)).toMatch(/^\/real\/\.npm\/_npx\/[0-9a-f]{16}$/);
    expect(await npxCacheFolder('a', environment)).toContain(path.join(root, '.npm', '_npx'));
  });
});

describe('parseNpxCommand', () => {
  it.each([
    ['npx -y pkg@^1 --port 1', { packageName: 'pkg', range: '^1', args: ['--port', '1'] }],
    [
      'npx --package=@s/p@2 tool a',
      { packageName: '@s/p', range: '2', binary: 'tool', args: ['a'] },
    ],
    ['npx -p p -y tool', { packageName: 'p', range: '', binary: 'tool', args: [] }],
    ['npm exec --yes -- pkg --flag', { packageName: 'pkg', args: ['--flag'] }],
  ])('reads %s', (line, expected) => {
    const [command = '', ...args] = line.split(' ');
    expect(parseNpxCommand(command, args)).toMatchObject(expected);
  });

  it.each([
    ['npx -y pkg@^1 --port 1', ['-y', '--package=pkg@^1', '-c', 'exit 0']],
    ['npx -q -p p tool -c evil', ['-q', '--package=p', '-c', 'exit 0']],
    ['npm x --yes -- pkg --flag', ['x', '--yes', '--package=pkg', '-c', 'exit 0']],
  ])('knows how npm only fetches what %s needs', (line, expected) => {
    const [command = '', ...args] = line.split(' ');
    expect(parseNpxCommand(command, args)?.fetchArgs).toEqual(expected);
  });

  it.each([
    'npx --call x',
    'npx -p a -p b tool',
    'npx ./folder',
    'npx github:user/repo',
    'npx https://example.com/x.tgz',
    'npm exec pkg --flag',
    'npm run start',
    'node x.js',
    'npx',
  ])('leaves %s alone', (line) => {
    const [command = '', ...args] = line.split(' ');
    expect(parseNpxCommand(command, args)).toBeUndefined();
  });
});

describe('resolveNpx', () => {
  it('prefers the project, also from a sub-folder', async () => {
    const local = await install(path.join(root, 'project', 'node_modules'), {
      name: '@s/p',
      version: '1.5.0',
    });
    await install(await cached('@s/p'), { name: '@s/p', version: '9.0.0' });
    expect(await resolve('npx -y @s/p --x')).toEqual(['node', path.join(local, 'run.js'), '--x']);
  });

  it('takes no local version that the range excludes', async () => {
    await install(path.join(root, 'project', 'node_modules'), {
      name: 'p',
      version: '2.0.0-beta.1',
    });
    expect(await resolve('npx p@^1')).toBeUndefined();
    expect(await resolve('npx p@^2')).toBeUndefined();
    const fitting = await install(await cached('p@^1'), { name: 'p', version: '1.9.0' });
    expect(await resolve('npx p@^1')).toEqual(['node', path.join(fitting, 'run.js')]);
  });

  it('never takes a copy that another package pulled in', async () => {
    const other = await cached('other');
    await install(other, { name: 'other', version: '1.0.0' });
    await install(other, { name: 'p', version: '1.0.0' });
    expect(await resolve('npx p')).toBeUndefined();
  });

  it('asks npm again for a tag when the copy is older than a day', async () => {
    const folder = await install(await cached('p@latest'), { name: 'p', version: '1.0.0' });
    expect(await resolve('npx p@latest', Date.now())).toEqual([
      'node',
      path.join(folder, 'run.js'),
    ]);
    expect(await resolve('npx p@latest', Date.now() + 25 * 3_600_000)).toBeUndefined();
  });

  it('finds the named program and runs what is no Node script directly', async () => {
    const folder = await install(await cached('p'), {
      name: 'p',
      version: '1.0.0',
      bin: { one: 'one.sh', two: 'two.sh' },
      script: '#!/bin/sh\n',
    });
    expect(await resolve('npx p')).toBeUndefined();
    expect(await resolve('npx -p p two x')).toEqual([path.join(folder, 'two.sh'), 'x']);
  });

  it('keeps flags that a shebang gives to Node out of it', async () => {
    const folder = await install(await cached('p'), {
      name: 'p',
      version: '1.0.0',
      script: '#!/usr/bin/env -S node --experimental-thing\n',
    });
    expect(await resolve('npx p')).toEqual([path.join(folder, 'run.js')]);
  });

  it('runs as written when the manifest is broken', async () => {
    const nodeModules = await cached('p');
    await mkdir(path.join(nodeModules, 'p'), { recursive: true });
    await writeFile(path.join(nodeModules, 'p', 'package.json'), '{');
    expect(await resolve('npx p')).toBeUndefined();
  });
});
