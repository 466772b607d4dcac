import { expect, it, vi } from 'vitest';
import { Emitter } from '../../../../src/base/event.js';
import { ServerPages, type ServerPagesParts } from '../../../../src/vscode/server/serverPages.js';
import { FakeServer, fakeDefinition, fakePool } from '../../../helpers/fakes/fakeMcp.js';

/** A tab as VS Code makes one; its page is the test. */
const { FakePanel, panels, questions } = vi.hoisted(() => {
  // else a file before it in the same worker has loaded what is put in place here
  vi.resetModules();
  class FakePanel {
    visible = true;
    readonly answers: object[] = [];
    isClosed = false;
    private hear: (message: unknown) => void = () => undefined;
    private closed: () => void = () => undefined;
    readonly webview = {
      html: '',
      cspSource: '',
      asWebviewUri: (uri: unknown) => String(uri),
      postMessage: async (message: object) => void this.answers.push(message),
      onDidReceiveMessage: (hear: (message: unknown) => void) => {
        this.hear = hear;
        return { dispose: () => undefined };
      },
    };
    constructor(public title: string) {}
    onDidChangeViewState = () => ({ dispose: () => undefined });
    onDidDispose = (closed: () => void) => {
      this.closed = closed;
    };
    reveal = () => undefined;
    dispose() {
      this.isClosed = true;
      this.closed();
    }
    /** What its page says. */
    say(type: string, params?: object, scope = 'settings'): void {
      this.hear({ id: 1, type, params, ...(scope === '' ? {} : { scope }) });
    }
  }
  return { FakePanel, panels: [] as FakePanel[], questions: [] as string[] };
});

vi.mock('vscode', () => ({
  l10n: { t: (text: string) => text, bundle: undefined },
  env: { language: 'en' },
  ViewColumn: { Active: 1 },
  Uri: { joinPath: (...parts: unknown[]) => parts.join('/') },
  window: {
    createWebviewPanel: (_type: string, title: string) => {
      panels.push(new FakePanel(title));
      return panels.at(-1);
    },
    showWarningMessage: async (text: string) => void questions.push(text),
  },
}));

it('gives what is typed while a new server is saved to its page, and asks nothing', async () => {
  const server = new FakeServer(fakeDefinition('notes'), { kind: 'idle' });
  const pool = fakePool([server]);
  const nothing = new Emitter<void>().event;
  const pages = new ServerPages({
    service: {
      pools: [],
      getPool: () => pool,
      getServer: () => server,
      traffic: { of: () => undefined },
      trust: { isWorkspaceTrusted: true },
    },
    workspaceState: { get: () => undefined },
    facts: { onDidChange: nothing, context: { isWorkspaceTrusted: true } },
    updates: { onDidChange: nothing, facts: () => undefined, opened: () => undefined },
  } as unknown as ServerPagesParts);
  pages.openForm(pool.id, false);
  const [form] = panels;
  const typed = { form: { name: 'notes', args: ['typed'] }, unsaved: 'notes' };
  form?.say('keepForm', typed);
  form?.say('saved', { id: server.id, isStarted: false });
  await expect.poll(() => form?.isClosed).toBe(true);
  expect(panels.map(({ title, isClosed }) => [title, isClosed])).toEqual([
    ['● Add Server', true],
    ['● notes', false],
  ]);
  panels[1]?.say('open', undefined, '');
  panels[1]?.say('ready');
  await expect.poll(() => panels[1]?.answers).toHaveLength(2);
  expect(panels[1]?.answers).toMatchObject([
    { result: { kind: 'server', tab: 'settings' } },
    { result: { form: typed.form } },
  ]);
  expect(questions).toEqual([]);
});
