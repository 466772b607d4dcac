/** What the user runs by themselves in the Pi Agent view: the rows, and the input that runs it, in a real browser. */
import { expect, it } from 'vitest';
import { faultsInAllLooks } from '../helpers/pages/looks.js';
import { agentSnapshots } from '../helpers/pages/states/agent.mjs';
import { usePages } from '../helpers/pages/usePages.js';

const pages = usePages();

const { empty } = agentSnapshots;
const state = { ...empty.state, cards: undefined };
const ran = (id: string, command: string, more: object = {}) => ({
  id,
  kind: 'tool',
  tool: 'bash',
  byUser: { isPrivate: false },
  args: '',
  words: { kind: 'command', command },
  status: 'done',
  result: [{ kind: 'text', text: 'a.ts\nb.ts' }],
  ...more,
});
const answered = [
  { id: 'e1', kind: 'user', text: 'What is there?', message: { id: 'm1' } },
  {
    id: 'e2',
    kind: 'assistant',
    text: 'Two files.',
    isStreaming: false,
    message: { id: 'm2' },
    run: { files: 0, commands: 1, calls: 0, ms: 2_000 },
  },
];
const failed = [{ kind: 'text', text: 'red\n\nCommand exited with code 1' }];
const commands = [
  ran('e3', 'ls src'),
  ran('e4', 'cat .env', { byUser: { isPrivate: true } }),
  ran('e5', 'npm test', { status: 'failed', result: failed }),
];
const open = (transcript: readonly unknown[], how: object = {}) =>
  pages.open({
    page: 'agent',
    replies: { ready: { ...empty, state, conversation: 'a.jsonl', transcript } },
    width: 320,
    height: 800,
    ...how,
  });

it('shows what the user ran open, whose it is and what the model knows, behind an answer that stays the last', async () => {
  const page = await open([...answered, ...commands]);
  const row = (id: string) => page.locator(`[data-entry=${id}]`);
  await row('e3').getByText('a.ts').waitFor();
  expect(await row('e3').getAttribute('aria-label')).toBe('Ran ls src, by you, done');
  expect(await row('e4').getAttribute('aria-label')).toBe(
    'Ran cat .env, by you, not for the model, done',
  );
  await row('e4').getByText('by you, not for the model').waitFor();
  await row('e5').getByText('Exit code 1').waitFor();
  await page.locator('.run-line').waitFor();
  await row('e3').getByRole('button', { name: 'Ran ls src' }).press('Enter');
  await row('e3').getByText('a.ts').waitFor({ state: 'detached' });
  expect(await page.locator('.reads').count()).toBe(0);
});

it('is readable in every theme, narrow and wide', async () => {
  const page = await open([...answered, ...commands]);
  await page.locator('[data-entry=e5]').getByText('Exit code 1').waitFor();
  expect(await faultsInAllLooks(page, 'user-commands', [320, 900])).toEqual([]);
});
