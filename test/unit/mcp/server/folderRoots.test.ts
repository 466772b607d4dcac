import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { folderRoots, worksElsewhere } from '../../../../src/mcp/server/folderRoots.js';
import { stdioLaunch } from '../../../fixtures/connections.js';
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
      ['https://h/data'],
    ];
    for (const args of inside) {
      expect([args, await look(...args)]).toEqual([args, [false, false]]);
    }
  } finally {
    await rm(base, { recursive: true });
  }
});
