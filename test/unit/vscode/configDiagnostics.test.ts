import { expect, it, vi } from 'vitest';
import { Emitter } from '../../../src/base/event.js';
import { ConfigDiagnostics } from '../../../src/vscode/language/configDiagnostics.js';

const uri = { toString: () => 'file:///work/.mcp.json', fsPath: '/work/.mcp.json' };
// else a file before it in the same worker has loaded what is put in place here
vi.hoisted(() => vi.resetModules());
const shown = vi.hoisted(() => new Map<object, readonly unknown[]>());
const documents = vi.hoisted(() => [] as object[]);
vi.mock('vscode', () => {
  const event = () => ({ dispose: () => undefined });
  return {
    Range: class {},
    Diagnostic: class {},
    DiagnosticSeverity: { Error: 0, Warning: 1 },
    languages: {
      createDiagnosticCollection: () => Object.assign(shown, { dispose: () => undefined }),
      getDiagnostics: () => [],
      onDidChangeDiagnostics: event,
    },
    workspace: {
      get textDocuments() {
        return documents;
      },
      onDidOpenTextDocument: event,
      onDidChangeTextDocument: event,
      onDidSaveTextDocument: event,
      onDidCloseTextDocument: event,
    },
  };
});

it('takes its marks back from an open file that leaves with its folder', async () => {
  documents.push({ uri, version: 1, isClosed: false, positionAt: () => 0 });
  const onDidChangeRules = new Emitter<void>();
  let isOfFolder = true;
  const diagnostics = new ConfigDiagnostics({
    problems: {
      concern: () => isOfFolder,
      of: async () => [{ severity: 'warning', code: 'x', message: '', remedy: '' }],
      forget: () => undefined,
    } as never,
    onDidChangeRules: onDidChangeRules.event,
    onError: () => undefined,
  });
  await expect.poll(() => shown.get(uri)).toHaveLength(1);
  isOfFolder = false;
  onDidChangeRules.fire();
  expect(shown.get(uri)).toBeUndefined();
  diagnostics.dispose();
});
