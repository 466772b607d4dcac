/** The command line as npm packs it: run by `npx` in a clean folder, by the Node.js of the system, and in a shell. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { memory } from '../helpers/coreHarness.js';
import { repository } from '../workbench/paths.mjs';

const run = promisify(execFile);
let root: string;
let tarball: string;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'pi-mcp-npm-')));
  await mkdir(join(root, 'home'));
  await mkdir(join(root, 'work'));
  const path = (process.env.PATH ?? '').split(delimiter);
  env = {
    // without the Node.js of the repository
    PATH: path.filter((folder) => !folder.includes('node_modules')).join(delimiter),
    HOME: join(root, 'home'),
    TMPDIR: tmpdir(),
    npm_config_cache: join(root, 'cache'),
    npm_config_update_notifier: 'false',
  };
  await run('npm', ['pack', '--pack-destination', join(root, 'work')], { cwd: repository, env });
  tarball = (await readdir(join(root, 'work'))).find((name) => name.endsWith('.tgz')) ?? '';
});
afterAll(() => rm(root, { recursive: true, force: true }));

const npx = (...args: readonly string[]) =>
  run('npx', ['--yes', '--offline', `./${tarball}`, ...args], {
    cwd: join(root, 'work'),
    env,
  });

describe('the package of npm', () => {
  it('holds the command line and nothing of the editor', async () => {
    const { stdout } = await run('tar', ['-tzf', join(root, 'work', tarball)]);
    const names = stdout.trim().split('\n').sort();
    expect(names).toEqual([
      'package/LICENSE',
      'package/README.md',
      'package/dist/ThirdPartyNotices.txt',
      'package/dist/cli.js',
      'package/dist/o200k.bin.br',
      'package/dist/sbom.cdx.json',
      'package/package.json',
    ]);
    const content = join(root, 'content');
    await mkdir(content);
    await run('tar', ['-xzf', join(root, 'work', tarball), '-C', content]);
    const texts = await Promise.all(
      names
        .filter((name) => name.endsWith('.js'))
        .map((name) => readFile(join(content, name), 'utf8')),
    );
    expect(texts.filter((text) => text.includes('require("vscode")'))).toEqual([]);
  });

  it('runs by npx in a clean folder, with nothing to install', async () => {
    expect((await npx('list')).stdout).toBe('No servers are configured.\n');
    await npx('add', 'memory', '--', process.execPath, ...memory.args);
    const { stdout } = await npx('probe', '--json');
    expect(JSON.parse(stdout).servers).toMatchObject([
      { name: 'memory', state: 'connected', toolCount: 9 },
    ]);
    const { stdout: tools } = await npx('tools', '--json');
    expect(JSON.parse(tools).tools).toHaveLength(10);
  });

  it('completes commands, options and servers in a shell', async () => {
    const bin = join(root, 'bin');
    await mkdir(bin);
    await run('npm', ['install', '--offline', '--prefix', bin, join(root, 'work', tarball)], {
      cwd: root,
      env,
    });
    const path = [join(bin, 'node_modules/.bin'), env.PATH].join(delimiter);
    const hostile = {
      '$(touch sprung)': memory,
      'a b': memory,
      '`touch sprung`': memory,
      memories: memory,
    };
    const folder = join(root, 'work');
    await writeFile(join(folder, '.mcp.json'), JSON.stringify({ mcpServers: hostile }));
    const complete = async (...words: readonly string[]) => {
      const script = `source <(pi-mcp completion bash)
        COMP_WORDS=(pi-mcp "$@"); COMP_CWORD=$#; _pi_mcp; printf '%s\\n' "\${COMPREPLY[@]}"`;
      const { stdout } = await run('bash', ['-c', script, 'bash', ...words], {
        cwd: folder,
        env: { ...env, PATH: path },
      });
      return stdout.trim().split('\n').filter(Boolean).sort();
    };
    expect(await complete('li')).toEqual(['list']);
    expect(await complete('complet')).toEqual(['completion']);
    expect(await complete('completion', '')).toEqual(['bash', 'fish', 'zsh']);
    expect(await complete('remove', '')).toEqual(['memories', 'memory']);
    expect(await complete('remove', '--folder', root, '')).toEqual([]);
    expect(await complete('add', '--sc')).toEqual(['--scope']);
    expect(await complete('add', '-s', 'pro')).toEqual(['project']);
    expect(await complete('add', 'x', '--', 'm')).toEqual([]);
    expect(await readdir(folder)).toEqual(['.mcp.json', tarball]);
  });

  it.each(['zsh', 'fish'])('has a script that asks the same in %s', async (shell) => {
    const { stdout } = await npx('completion', shell);
    expect(stdout).toMatch(/pi-mcp complete -- .*\[2/);
  });
});
