import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import type { WorkspaceFolder } from '../../../../src/config/definition.js';
import {
  folderRoots,
  hasSameRoots,
  type RootsPorts,
  settleRoots,
  worksElsewhere,
} from '../../../../src/mcp/server/folderRoots.js';
import { httpLaunch, stdioLaunch } from '../../../fixtures/connections.js';
import { FakeWorkspace } from '../../../helpers/fakes/fakeAgentMcp.js';
import { fakeDefinition, fakeFolder } from '../../../helpers/fakes/fakeMcp.js';

const [api, web] = [fakeFolder('api'), fakeFolder('web')];
const virtual = { uri: 'vscode-vfs://host/x', name: 'x', fsPath: undefined };
const workspace = new FakeWorkspace([api, web, virtual], true);
const root = ({ uri, name }: typeof api) => ({ uri, name });

it("gives a folder's server its folder, and a server of the user all of them", () => {
  expect(folderRoots(fakeDefinition('one', { folder: web }), workspace).list()).toEqual([
    root(web),
  ]);
  expect(folderRoots(fakeDefinition('two'), workspace).list()).toEqual([root(api), root(web)]);
});

it('tells only servers of the user that folders came or went', () => {
  let changes = 0;
  folderRoots(fakeDefinition('one', { folder: web }), workspace).onDidChange(() => changes++);
  expect(changes).toBe(0);
  const roots = folderRoots(fakeDefinition('two'), workspace);
  expect(roots.onDidChange).toBe(workspace.onDidChangeFolders);
});

it('gives no roots to a server whose arguments name a folder outside of the workspace', async () => {
  const base = await mkdtemp(join(tmpdir(), 'roots-'));
  try {
    const [work, data] = [join(base, 'work'), join(base, 'data')];
    await mkdir(join(work, 'inner'), { recursive: true });
    await mkdir(data);
    await writeFile(join(data, 'file'), '');
    await symlink(data, join(work, 'link'));
    await symlink(work, join(base, 'alias'));
    const folder = { uri: pathToFileURL(work).toString(), name: 'work', fsPath: work };
    const open = new FakeWorkspace([folder], true);
    const look = (...args: readonly string[]) =>
      Promise.all(
        [folder, undefined].map((own) =>
          worksElsewhere(stdioLaunch('x', args, { cwd: work }), own ? { folder: own } : {}, open),
        ),
      );
    const outside = [
      [data],
      ['server.js', data],
      ['../data'],
      [`--root=${data}`],
      ['--root', data],
      [join(work, '..', 'data')],
      [join(work, 'inner'), data],
    ];
    for (const args of outside) {
      expect([args, await look(...args)]).toEqual([args, [true, true]]);
    }
    const inside = [
      [],
      [work],
      [join(work, 'inner')],
      ['./inner'],
      ['.'],
      [join(base, 'alias')],
      [join(data, 'file')],
      [join(base, 'nowhere')],
      ['data'],
      ['--directory', data],
      [`root=${data}`],
      ['https://h/data'],
    ];
    for (const args of inside) {
      expect([args, await look(...args)]).toEqual([args, [false, false]]);
    }
  } finally {
    await rm(base, { recursive: true });
  }
});

it('knows of no arguments of a remote server', async () => {
  const launch = httpLaunch('https://a.test/data');
  expect(await worksElsewhere(launch, {}, workspace)).toBe(false);
});

/** Two folders of the workspace, each with the folder `in`, beside the folder `data`; all of them exist. */
async function openPlaces() {
  const base = await mkdtemp(join(tmpdir(), 'roots-'));
  onTestFinished(() => rm(base, { recursive: true }));
  const at = (name: string): WorkspaceFolder & { readonly fsPath: string } => {
    const fsPath = join(base, name);
    return { uri: pathToFileURL(fsPath).toString(), name: name.toUpperCase(), fsPath };
  };
  const [one, two, data] = [at('one'), at('two'), at('data')];
  for (const path of [join(one.fsPath, 'in'), join(two.fsPath, 'in'), data.fsPath]) {
    await mkdir(path, { recursive: true });
  }
  const open = new FakeWorkspace([one, virtual, two], true);
  const refused: string[] = [];
  const ports: RootsPorts = {
    workspace: open,
    homeDir: base,
    resolve: async ({ folder }, written) =>
      written.map((text) => text.replace('${workspaceFolder}', folder?.fsPath ?? '')),
    onRefused: (sentences) => void refused.push(sentences),
  };
  return { base, one, two, data, open, ports, refused };
}

const inner = ({ uri }: WorkspaceFolder) => ({ uri: `${uri}/in`, name: 'in' });

it('tells of nothing, of the folders, or of what is elsewhere, as the entry chooses', async () => {
  const { one, two, data, ports } = await openPlaces();
  const listed = async (roots: 'none' | 'folder' | undefined, ...args: readonly string[]) => {
    const options = { ...fakeDefinition('a').options, roots };
    const definition = fakeDefinition('a', { change: { options } });
    return (
      await settleRoots(definition, stdioLaunch('x', args, { cwd: one.fsPath }), ports)
    )?.list();
  };
  const both = [root(one), root(two)];
  expect(await listed('none')).toBeUndefined();
  expect(await listed('folder', data.fsPath)).toEqual(both);
  expect(await listed(undefined)).toEqual(both);
  expect(await listed(undefined, data.fsPath)).toBeUndefined();
});

it('lists what a file of the user names, in each folder where it names that, and each once', async () => {
  const { base, one, two, data, open, ports, refused } = await openPlaces();
  const roots = ['${workspaceFolder}/in', data.fsPath, one.fsPath, one.fsPath, join(base, 'no')];
  const options = { ...fakeDefinition('a').options, roots };
  const settle = (written: readonly string[], folder?: WorkspaceFolder) =>
    settleRoots(
      fakeDefinition('a', {
        ...(folder && { folder }),
        change: { options: { ...options, roots: written }, hasRootsOfUser: true },
      }),
      stdioLaunch('x', [], { cwd: base }),
      ports,
    );
  const settled = await settle(roots);
  const others = [{ uri: data.uri, name: 'data' }, root(one)];
  expect(settled?.list()).toEqual([inner(one), inner(two), ...others]);
  expect(refused).toEqual([expect.stringContaining(join(base, 'no'))]);

  const told = new Promise<void>((resolve) => void settled?.onDidChange(resolve));
  open.setFolders([two]);
  await told;
  expect(settled?.list()).toEqual([inner(two), others[0], { uri: one.uri, name: 'one' }]);

  // neither names a folder of the workspace that could come or go
  for (const fixed of [await settle([data.fsPath]), await settle(roots, two)]) {
    fixed?.onDidChange(() => expect.unreachable());
  }
  open.setFolders([]);
  // the user may name for one folder what its own files may not
  expect((await settle(roots, two))?.list()).toEqual([
    inner(two),
    others[0],
    { uri: one.uri, name: 'one' },
  ]);
});

it('keeps what it told a server where a variable is gone', async () => {
  const { one, two, open, ports } = await openPlaces();
  const options = { ...fakeDefinition('a').options, roots: ['${workspaceFolder}'] };
  let asked: (() => void) | undefined;
  const resolve: RootsPorts['resolve'] = async (...args) => {
    asked?.();
    return asked ? Promise.reject(new Error('gone')) : ports.resolve(...args);
  };
  const definition = fakeDefinition('a', { change: { options } });
  const launch = stdioLaunch('x', [], { cwd: one.fsPath });
  const settled = await settleRoots(definition, launch, { ...ports, resolve });
  settled?.onDidChange(() => expect.unreachable());
  const isAsked = new Promise<void>((done) => {
    asked = done;
  });
  open.setFolders([one]);
  await isAsked;
  expect(settled?.list()).toEqual([root(one), root(two)]);
});

it('takes nothing of the user into what a file of the project names, nor what is outside', async () => {
  const { base, one, data, ports, refused } = await openPlaces();
  const roots = ['in', '${workspaceFolder}', data.fsPath, '../data', '${env:HOME}'];
  const options = { ...fakeDefinition('a').options, roots };
  const definition = fakeDefinition('a', { folder: one, change: { options } });
  const settled = await settleRoots(definition, stdioLaunch('x', [], { cwd: base }), ports);
  expect(settled?.list()).toEqual([inner(one), root(one)]);
  expect(refused).toHaveLength(3);
});

it('compares what servers are told of by what is written, and by who wrote it', () => {
  const of = (roots: readonly string[] | undefined, hasRootsOfUser?: boolean) => {
    const { options } = fakeDefinition('a');
    return fakeDefinition('a', {
      change: { options: { ...options, roots }, hasRootsOfUser } as never,
    });
  };
  expect(hasSameRoots(of(undefined), of(undefined, false))).toBe(true);
  expect(hasSameRoots(of(['a']), of(['a']))).toBe(true);
  expect(hasSameRoots(of(['a']), of(['b']))).toBe(false);
  expect(hasSameRoots(of(['a']), of(['a'], true))).toBe(false);
});
