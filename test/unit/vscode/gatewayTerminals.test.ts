import { expect, it, vi } from 'vitest';
import { Emitter } from '../../../src/base/event.js';
import { GatewayTerminals } from '../../../src/vscode/gateway/gatewayTerminals.js';

// else a file before it in the same worker has loaded what is put in place here
vi.hoisted(() => vi.resetModules());
const folders = vi.hoisted(() => [{ uri: 'file:///work', name: 'work', index: 0 }]);
vi.mock('vscode', () => ({
  l10n: { t: (text: string) => text },
  ThemeIcon: class {},
  Uri: { parse: (text: string) => text },
  window: { createTerminal: () => ({ show: () => undefined }) },
  workspace: { workspaceFolders: folders },
}));

it('leaves no token to terminals of a folder that left before its gateway had ended', () => {
  const variables = new Map<string, string>();
  const scoped = {
    replace: (name: string, value: string) => variables.set(name, value),
    clear: () => variables.clear(),
  };
  const ended = new Emitter<string>();
  const gateways = { onDidEnd: ended.event } as never;
  const terminals = new GatewayTerminals({ getScoped: () => scoped } as never, gateways);
  const gateway = { url: 'http://127.0.0.1:1', tokens: { use: 'token' } } as never;
  terminals.open({ uri: 'file:///work', name: 'work', fsPath: '/work' }, gateway);
  expect([...variables.values()]).toContain('token');
  folders.pop();
  ended.fire('file:///work');
  expect([...variables]).toEqual([]);
});
