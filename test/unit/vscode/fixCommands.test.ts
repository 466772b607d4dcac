import { expect, it, vi } from 'vitest';
import { SecretKeeper } from '../../../src/config/fixes/secretKeeper.js';
import { parseJsonDocument } from '../../../src/config/parse/jsonDocument.js';
import { parseConfig } from '../../../src/config/parse/parseConfig.js';
import { commandIds } from '../../../src/contributions.js';
import { fixCommands } from '../../../src/vscode/language/fixCommands.js';
import { createAnswers } from '../../helpers/fakes/fakeAnswers.js';

// else a file before it in the same worker has loaded what is put in place here
vi.hoisted(() => vi.resetModules());
const edits = vi.hoisted(() => [] as string[]);
vi.mock('vscode', () => ({
  l10n: { t: (text: string) => text },
  Uri: { parse: (uri: string) => uri },
  Range: class {},
  WorkspaceEdit: class {
    replace(_uri: unknown, _range: unknown, content: string) {
      edits.push(content);
    }
  },
  window: { showInformationMessage: async () => undefined },
  workspace: {
    openTextDocument: async (uri: string) => ({ uri, version: 1, positionAt: () => 0 }),
    applyEdit: async () => true,
  },
}));

it('moves a secret to a place of its own where another file of the folder uses the name', async () => {
  const poolId = 'file:///work';
  const text = '{ "mcpServers": { "one": { "command": "one", "env": { "TOKEN": "new" } } } }';
  const inputs = createAnswers();
  await inputs.set({ poolId, inputId: 'one-token' }, 'of the other file');
  const commands = fixCommands({
    inputs,
    secrets: new SecretKeeper(inputs),
    service: { getPool: () => ({ inputs: [{ id: 'one-token-2' }] }) },
    files: {
      read: () => ({
        poolId,
        location: {},
        document: parseJsonDocument(text),
        file: parseConfig(text, { path: '/work/.mcp.json' } as never),
      }),
    },
  } as never);
  const valuePath = ['mcpServers', 'one', 'env', 'TOKEN'];
  const target = { uri: 'file:///work/.mcp.json', valuePath, suggestedId: 'one-token' };
  await commands[commandIds.moveSecret]?.(target, false, []);
  expect(await inputs.get({ poolId, inputId: 'one-token' })).toBe('of the other file');
  expect(await inputs.get({ poolId, inputId: 'one-token-3' })).toBe('new');
  expect(edits.join()).toContain('${input:one-token-3}');
});
