import { expect, it } from 'vitest';
import type { HeldField } from '../../../../../src/base/form/heldFields.js';
import type { McpServerId } from '../../../../../src/config/definition.js';
import type { ElicitationField } from '../../../../../src/mcp/connection/reading/elicitationForm.js';
import { FormQuestions } from '../../../../../src/mcp/service/questions/formQuestions.js';

const fields: readonly ElicitationField[] = [
  { kind: 'text', name: 'name', title: 'Name', isRequired: true, minLength: 2 },
  { kind: 'boolean', name: 'sure', title: 'Sure', isRequired: false },
];
const about = {
  server: 'global/shop' as McpServerId,
  serverName: 'shop',
  message: 'Who are you?',
  fields,
};

it('shows a form until it is answered, and takes no answer twice', async () => {
  const forms = new FormQuestions();
  let changes = 0;
  forms.onDidChange(() => changes++);
  const question = forms.create(about);
  expect(forms.all).toEqual([]);
  const answer = forms.ask(question, new AbortController().signal);
  expect(forms.all).toEqual([{ ...about, id: '1' }]);
  expect(forms.accept('1', { name: 'Ada', sure: true, other: 1 })).toEqual([]);
  expect(await answer).toEqual({ action: 'accept', content: { name: 'Ada', sure: true } });
  expect(forms.all).toEqual([]);
  expect(changes).toBe(2);
  expect(forms.accept('1', { name: 'Eve' })).toEqual([]);
  forms.refuse('1', 'decline');
});

it('sends nothing while a value does not fit, and says which', async () => {
  const forms = new FormQuestions();
  const answer = forms.ask(forms.create(about), new AbortController().signal);
  expect(forms.accept('1', { name: 'A', sure: 'yes' })).toEqual([
    { field: 'name', text: 'Name has 1, and must have ≥ 2' },
    { field: 'sure', text: '"Sure" must be true | false.' },
  ]);
  // what every object has is no answer
  expect(forms.accept('1', Object.create({ name: 'Ada' }))).toEqual([
    { field: 'name', text: '"Name" is required.' },
  ]);
  expect(forms.all).toHaveLength(1);
  forms.refuse('1', 'decline');
  expect(await answer).toEqual({ action: 'decline' });
});

it('keeps its id when it is shown again, and ends with the server or the window', async () => {
  const forms = new FormQuestions();
  const question = forms.create(about);
  const gone = new AbortController();
  const first = forms.ask(question, gone.signal);
  gone.abort();
  expect(await first).toBeUndefined();
  expect(forms.all).toEqual([]);
  const second = forms.ask(question, new AbortController().signal);
  expect(forms.all.map(({ id }) => id)).toEqual(['1']);
  forms.dispose();
  expect(await second).toBeUndefined();
  expect(await forms.ask(question, new AbortController().signal)).toBeUndefined();
});

const ada: HeldField = { name: 'name', state: 'set', text: 'Ada', isRaw: false, picked: [] };

it('has what was put into a form when it comes back, until it is answered', async () => {
  const forms = new FormQuestions();
  const question = forms.create(about);
  // nobody has seen it
  forms.keep(question.id, [ada]);
  expect(forms.heldOf(question.id)).toEqual([]);
  const gone = new AbortController();
  void forms.ask(question, gone.signal);
  gone.abort();
  forms.keep(question.id, [ada]);
  const answer = forms.ask(question, new AbortController().signal);
  expect(forms.heldOf(question.id)).toEqual([ada]);
  forms.refuse(question.id, 'decline');
  await answer;
  forms.keep(question.id, [ada]);
  expect(forms.heldOf(question.id)).toEqual([]);
});

it('forgets what was put into forms that never come back', () => {
  const forms = new FormQuestions();
  const open = forms.create(about);
  void forms.ask(open, new AbortController().signal);
  forms.keep(open.id, [ada]);
  const away = Array.from({ length: 50 }, () => {
    const question = forms.create(about);
    const leave = new AbortController();
    void forms.ask(question, leave.signal);
    leave.abort();
    forms.keep(question.id, [ada]);
    return question;
  });
  expect(forms.heldOf(open.id)).toEqual([ada]);
  expect(away.filter(({ id }) => forms.heldOf(id).length > 0).length).toBe(20);
  forms.dispose();
});
