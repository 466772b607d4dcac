import { expect, it } from 'vitest';
import type * as vscode from 'vscode';
import { Emitter } from '../../../src/base/event.js';
import { createNodeHostEnvironment } from '../../../src/platform/environment/nodeHostEnvironment.js';
import { ConfigFiles } from '../../../src/vscode/language/configFiles.js';

const folder = { uri: 'file:///Users/Ada/Work', name: 'Work', fsPath: '/Users/Ada/Work' };

it.each([
  ['darwin', true],
  ['win32', true],
  ['linux', false],
] as const)('on %s the file of a folder in other letters is the same: %s', (platform, isSame) => {
  const files = new ConfigFiles(
    {
      folders: [folder],
      isTrusted: true,
      onDidChangeFolders: new Emitter<void>().event,
      onDidChangeTrust: new Emitter<void>().event,
    },
    createNodeHostEnvironment({ platform, env: {}, homeDir: '/Users/Ada' }),
    () => '/Users/Ada/.pi/agent/mcp.json',
  );
  const find = (fsPath: string) =>
    files.find({ uri: { scheme: 'file', fsPath } } as vscode.TextDocument)?.poolId;
  expect(find('/Users/Ada/Work/.mcp.json')).toBe(folder.uri);
  expect(find('/users/ada/work/.mcp.json')).toBe(isSame ? folder.uri : undefined);
});
