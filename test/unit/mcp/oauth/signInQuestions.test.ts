import { expect, it } from 'vitest';
import { globalPoolId, serverId } from '../../../../src/config/definition.js';
import { SignInQuestions } from '../../../../src/mcp/oauth/signInQuestions.js';

const server = serverId(globalPoolId, 'shop');
const about = { server, serverName: 'shop', text: 'May it?', choices: ['Sign In', 'Cancel'] };

it('shows a question until it is taken away, and says so', () => {
  const questions = new SignInQuestions();
  let changes = 0;
  questions.onDidChange(() => changes++);
  const first = questions.show(about, () => undefined);
  questions.show({ ...about, text: 'And this?' }, () => undefined);
  expect(questions.all).toEqual([
    { ...about, id: '1' },
    { ...about, id: '2', text: 'And this?' },
  ]);
  first.dispose();
  first.dispose();
  expect(questions.all.map(({ id }) => id)).toEqual(['2']);
  expect(changes).toBe(3);
});

it('takes only choices that a question has, while it is there', () => {
  const questions = new SignInQuestions();
  const chosen: number[] = [];
  const shown = questions.show(about, (choice) => chosen.push(choice));
  for (const choice of [1, 2, -1, 0.5, Number.NaN]) {
    questions.choose('1', choice);
  }
  questions.choose('2', 0);
  shown.dispose();
  questions.choose('1', 0);
  expect(chosen).toEqual([1]);
});
