import { expect, it } from 'vitest';
import { globalPoolId, serverId } from '../../../../../src/config/definition.js';
import { ChoiceQuestions } from '../../../../../src/mcp/service/questions/choiceQuestions.js';

const server = serverId(globalPoolId, 'shop');
const about = { server, serverName: 'shop', title: 'May it?', rows: [] };
const choices = ['Sign In', 'Cancel'].map((label) => ({ label, isConsent: true, value: label }));

it('shows a question until it is taken away, and says so', async () => {
  const questions = new ChoiceQuestions();
  let changes = 0;
  questions.onDidChange(() => changes++);
  const gone = new AbortController();
  const first = questions.ask(about, choices, gone.signal);
  void questions.ask({ ...about, title: 'And this?' }, choices, new AbortController().signal);
  expect(questions.all).toEqual([
    { ...about, choices, id: '1' },
    { ...about, choices, id: '2', title: 'And this?' },
  ]);
  gone.abort();
  expect(await first).toBeUndefined();
  expect(questions.all.map(({ id }) => id)).toEqual(['2']);
  expect(changes).toBe(3);
});

it('takes only choices that a question has, while it is there', async () => {
  const questions = new ChoiceQuestions();
  const answer = questions.ask(about, choices, new AbortController().signal);
  for (const choice of [2, -1, 0.5, Number.NaN]) {
    questions.choose('1', choice);
  }
  questions.choose('2', 0);
  expect(questions.all).toHaveLength(1);
  questions.choose('1', 1);
  questions.choose('1', 0);
  expect(await answer).toBe('Cancel');
});

it('settles with the value of a choice, and stays for one that only does something', async () => {
  const questions = new ChoiceQuestions();
  let acts = 0;
  const answer = questions.ask(
    about,
    [
      { label: 'Yes', isConsent: true, value: 'yes' },
      { label: 'Show', isConsent: false, act: () => void acts++ },
    ],
    new AbortController().signal,
  );
  questions.choose('1', 1);
  expect(acts).toBe(1);
  expect(questions.all).toHaveLength(1);
  questions.choose('1', 0);
  expect(await answer).toBe('yes');
  expect(questions.all).toEqual([]);
});

it('goes with the call behind it', async () => {
  const questions = new ChoiceQuestions();
  const gone = new AbortController();
  const answer = questions.ask(about, [], gone.signal);
  gone.abort();
  expect(await answer).toBeUndefined();
  expect(questions.all).toEqual([]);
  expect(await questions.ask(about, [], gone.signal)).toBeUndefined();
});

it('is left when the window closes, and asks nothing after that', async () => {
  const questions = new ChoiceQuestions();
  const { signal } = new AbortController();
  const answer = questions.ask(about, [], signal);
  questions.dispose();
  expect(await answer).toBeUndefined();
  expect(await questions.ask(about, [], signal)).toBeUndefined();
});
