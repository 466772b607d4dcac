import { expect, it } from 'vitest';
import { folderRoots } from '../../../../src/mcp/server/folderRoots.js';
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
