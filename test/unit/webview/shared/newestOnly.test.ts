import { expect, it } from 'vitest';
import { NewestOnly } from '../../../../src/webview/shared/newestOnly.js';
import { createDeferred, type Deferred } from '../../../helpers/fakes/deferred.js';

it('asks one question at a time and skips those that are out of date', async () => {
  const asked: { question: string; answer: Deferred<void> }[] = [];
  const checks = new NewestOnly<string>((question) => {
    const answer = createDeferred();
    asked.push({ question, answer });
    return answer.promise;
  });
  const questions = () => asked.map(({ question }) => question);
  for (const question of ['n', 'na', 'nam', 'name']) {
    checks.request(question);
  }
  expect(questions()).toEqual(['n']);
  asked[0]?.answer.resolve();
  await asked[0]?.answer.promise;
  await Promise.resolve();
  expect(questions()).toEqual(['n', 'name']);
  asked[1]?.answer.resolve();
  await asked[1]?.answer.promise;
  await Promise.resolve();
  checks.request('other');
  expect(questions()).toEqual(['n', 'name', 'other']);
});
