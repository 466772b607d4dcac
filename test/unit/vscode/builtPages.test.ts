import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Emitter } from '../../../src/base/event.js';
import { type Developing, followBuiltPages } from '../../../src/vscode/webviews/builtPages.js';

const modes = { Production: 1, Development: 2, Test: 3 } as const;

/** A window, with what was watched and which commands were run. */
function openWindow(mode: keyof typeof modes) {
  const changes = new Emitter<void>();
  const watched: string[] = [];
  const run: string[] = [];
  const watcher = {
    onDidChange: changes.event,
    onDidCreate: changes.event,
    dispose: () => changes.dispose(),
  };
  const vscode = {
    commands: { executeCommand: async (id: string) => run.push(id) },
    ExtensionMode: modes,
    RelativePattern: class {
      readonly text: string;
      constructor(base: string, pattern: string) {
        this.text = `${base}/${pattern}`;
      }
    },
    Uri: { joinPath: (...parts: readonly string[]) => parts.join('/') },
    workspace: {
      createFileSystemWatcher: ({ text }: { readonly text: string }) => {
        watched.push(text);
        return watcher;
      },
    },
  };
  const context = { extensionMode: modes[mode], extensionUri: '/ours' };
  const following = followBuiltPages(
    vscode as unknown as Developing,
    context as unknown as Parameters<typeof followBuiltPages>[1],
  );
  return { watched, run, build: () => changes.fire(), following };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('loads the pages of a window of development anew, once for each build', async () => {
  const { watched, run, build, following } = openWindow('Development');
  expect(watched).toEqual(['/ours/dist/webview/*.{js,css}']);
  build();
  build();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(run).toEqual(['workbench.action.webview.reloadWebviewAction']);
  build();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(run).toHaveLength(2);
  build();
  following.dispose();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(run).toHaveLength(2);
});

it.each(['Production', 'Test'] as const)('watches nothing in a window of %s', (mode) => {
  expect(openWindow(mode).watched).toEqual([]);
});
