/** git is asked in a repository that somebody else made: nothing that its configuration names may run. */
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { lastCommit } from '../../src/mcp/trust/lastCommit.js';
import { createNodeHostEnvironment } from '../../src/platform/environment/nodeHostEnvironment.js';

let root: string;
let folder: string;
let ran: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pi-mcp-git-'));
  folder = join(root, 'repo');
  ran = join(root, 'ran');
  await mkdir(folder);
  await mkdir(ran);
  git('init', '-q');
  await writeFile(join(folder, '.mcp.json'), '{}');
  git('add', '.');
  git('commit', '-q', '-m', 'Add servers');
});

afterEach(() => rm(root, { recursive: true, force: true }));

function git(...args: readonly string[]): string {
  const identity = ['-c', 'user.name=Some Body', '-c', 'user.email=some@body.example'];
  return execFileSync('git', [...identity, '-c', 'commit.gpgsign=false', ...args], {
    cwd: folder,
    encoding: 'utf8',
  });
}

const ask = (file = join(folder, '.mcp.json')) =>
  lastCommit(folder, file, createNodeHostEnvironment());

/** Leaves a file behind when it runs. */
async function canary(name: string): Promise<string> {
  const path = join(root, `${name}.sh`);
  await writeFile(path, `#!/bin/sh\ntouch '${join(ran, name)}'\nexit 1\n`);
  await chmod(path, 0o755);
  return path;
}

it('knows the commit that changed a file last', async () => {
  expect(await ask()).toEqual({
    hash: expect.stringMatching(/^[0-9a-f]{7,}$/),
    date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    author: 'Some Body',
    subject: 'Add servers',
  });
});

it('asks nothing about files and repositories outside of the folder', async () => {
  expect(await ask(join(root, 'other.json'))).toBeUndefined();
  const below = join(folder, 'below');
  await mkdir(below);
  await writeFile(join(below, '.mcp.json'), '{}');
  git('add', '.');
  git('commit', '-q', '-m', 'Below');
  expect(
    await lastCommit(below, join(below, '.mcp.json'), createNodeHostEnvironment()),
  ).toBeUndefined();
});

it('runs no git of the folder, however its directory is called', async () => {
  for (const directory of ['bin', '..bin', '...']) {
    const bin = join(folder, directory);
    await mkdir(bin);
    await writeFile(join(bin, 'git'), `#!/bin/sh\n: >'${join(ran, directory)}'\n`);
    await chmod(join(bin, 'git'), 0o755);
    const { homeDir, platform } = createNodeHostEnvironment();
    const environment = { homeDir, platform, loginShellPath: () => Promise.resolve(bin) };
    await lastCommit(folder, join(folder, '.mcp.json'), {
      ...createNodeHostEnvironment(),
      ...environment,
    });
  }
  expect(await readdir(ran)).toEqual([]);
  expect(await lastCommit(folder, join(folder, '..', 'other'), createNodeHostEnvironment())).toBe(
    undefined,
  );
});

it('knows the commit of a file whose directory begins with two dots', async () => {
  const file = join(folder, '..config', '.mcp.json');
  await mkdir(join(folder, '..config'));
  await writeFile(file, '{}');
  git('add', '.');
  git('commit', '-q', '-m', 'Dots');
  expect(await ask(file)).toMatchObject({ subject: 'Dots' });
});

it('runs nothing that the configuration of the repository names', async () => {
  for (const [key, name] of [
    ['core.fsmonitor', 'fsmonitor'],
    ['core.pager', 'pager'],
    ['pager.log', 'pagerLog'],
    ['core.sshCommand', 'ssh'],
    ['core.editor', 'editor'],
    ['core.askPass', 'askPass'],
    ['core.gitProxy', 'proxy'],
    ['gpg.program', 'gpg'],
    ['diff.external', 'diff'],
    ['credential.helper', 'credential'],
    ['uploadpack.packObjectsHook', 'pack'],
    ['filter.x.clean', 'clean'],
    ['filter.x.process', 'filter'],
    ['diff.x.textconv', 'textconv'],
    ['alias.log', 'alias'],
  ] as const) {
    git('config', key, key === 'alias.log' ? `!${await canary(name)}` : await canary(name));
  }
  const fetching = await canary('fetch');
  for (const [key, value] of [
    ['log.showSignature', 'true'],
    ['log.mailmap', 'true'],
    ['log.diffMerges', 'on'],
    ['protocol.ext.allow', 'always'],
    ['remote.origin.url', `ext::${fetching}`],
    ['remote.origin.promisor', 'true'],
    ['remote.origin.uploadpack', fetching],
    ['extensions.partialClone', 'origin'],
    ['core.repositoryFormatVersion', '1'],
    ['core.hooksPath', join(root)],
  ] as const) {
    git('config', key, value);
  }
  await writeFile(join(folder, '.gitattributes'), '* diff=x filter=x\n');
  await writeFile(join(folder, '.mcp.json'), '{"mcpServers":{}}');
  expect(await ask()).toMatchObject({ subject: 'Add servers' });
  // an object that is missing would be fetched from the remote that the configuration names
  const tree = git('rev-parse', 'HEAD^{tree}').trim();
  await rm(join(folder, '.git/objects', tree.slice(0, 2), tree.slice(2)), { force: true });
  await ask();
  expect(await readdir(ran)).toEqual([]);
});

it('would notice if something ran', async () => {
  git('config', 'gpg.program', await canary('gpg'));
  git('config', 'core.fsmonitor', await canary('fsmonitor'));
  git('status');
  expect(await readdir(ran)).toEqual(['fsmonitor']);
});
