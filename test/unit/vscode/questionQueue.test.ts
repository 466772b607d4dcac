import { expect, it, vi } from 'vitest';
import { Emitter } from '../../../src/base/event.js';
import { FormQuestions } from '../../../src/mcp/service/questions/formQuestions.js';
import { OpenQuestions } from '../../../src/mcp/service/questions/openQuestions.js';
import { QuestionQueue } from '../../../src/vscode/questions/questionQueue.js';
import { fakeDefinition } from '../../helpers/fakes/fakeMcp.js';

// else a file before it in the same worker has loaded what is put in place here
vi.hoisted(() => vi.resetModules());
vi.mock('vscode', () => ({
  l10n: { t: (text: string) => text },
  window: { showInformationMessage: async () => undefined },
  workspace: { workspaceFolders: undefined },
}));

/** A form in the queue, on a page that the user looks at. */
function scene() {
  const moved = new Emitter<void>();
  const page = {
    isSeen: true,
    shows: () => page.isSeen,
    onDidChangeVisibility: moved.event,
    open: () => undefined,
  };
  const forms = new FormQuestions();
  const open = new OpenQuestions();
  const queue = new QuestionQueue({ open, logs: {} as never, pages: () => page, cardPage: page });
  const definition = fakeDefinition('shop');
  const about = { server: definition.id, serverName: 'shop', message: 'Who?', fields: [] };
  const form = forms.create(about);
  const shown = { count: 0 };
  const show = async (signal: AbortSignal) => {
    if (++shown.count > 9) {
      throw new Error('shown again and again');
    }
    return await forms.ask(form, signal);
  };
  const answer = queue.put({ definition, text: 'Who?', show }, new AbortController().signal);
  const look = (isSeen: boolean) => {
    page.isSeen = isSeen;
    moved.fire();
  };
  return { answer, form, forms, look, open, shown };
}

it('leaves a question when the window closes, whose page is still there', async () => {
  const { answer, forms, shown } = scene();
  forms.dispose();
  expect(await answer).toBeUndefined();
  expect(shown.count).toBe(1);
});

it('keeps a question that is out of sight, and shows it again with its page', async () => {
  const { answer, form, forms, look, open, shown } = scene();
  look(false);
  await expect.poll(() => open.all).toHaveLength(1);
  expect(forms.all).toEqual([]);
  look(true);
  await expect.poll(() => forms.all).toHaveLength(1);
  expect(shown.count).toBe(2);
  forms.refuse(form.id, 'decline');
  expect(await answer).toEqual({ action: 'decline' });
  open.dispose();
});
