import { expect, it, vi } from 'vitest';
import { askForArguments } from '../../../src/vscode/prompts/argumentPrompter.js';

// else a file before it in the same worker has loaded what is put in place here
vi.hoisted(() => vi.resetModules());
const asked = vi.hoisted(() => [] as (string | undefined)[]);
vi.mock('vscode', () => ({
  l10n: { t: (_text: string, value?: string) => value },
  window: {
    createQuickPick: () => {
      let onDidHide = () => {};
      return {
        placeholder: '',
        activeItems: [],
        onDidChangeValue: () => {},
        onDidAccept: () => {},
        onDidHide: (listener: () => void) => {
          onDidHide = listener;
        },
        dispose: () => {},
        show() {
          asked.push(this.placeholder);
          queueMicrotask(onDidHide);
        },
      };
    },
  },
}));

it('asks for an argument whose name every object knows', async () => {
  const answers = askForArguments({
    server: undefined as never,
    title: 'make',
    reference: { kind: 'prompt', name: 'make' },
    questions: [{ name: 'language' }, { name: 'constructor', required: true }],
    given: { language: 'en' },
  });
  expect(await answers).toBeUndefined();
  expect(asked).toEqual(['constructor']);
});
