import { expect, it, vi } from 'vitest';
import { isCancellationError } from '../../../src/base/async/cancellation.js';
import { createLoginInteraction } from '../../../src/vscode/prompts/loginInteraction.js';

// else a file before it in the same worker has loaded what is put in place here
vi.hoisted(() => vi.resetModules());
const box = vi.hoisted(() => ({ typed: [] as (string | undefined)[] }));
vi.mock('vscode', () => ({
  window: { showInputBox: async () => box.typed.shift() },
  CancellationTokenSource: class {
    dispose() {}
  },
}));

const { prompt } = createLoginInteraction({
  title: 'GitHub Copilot',
  signal: new AbortController().signal,
  report: () => undefined,
});

it('takes an empty text where the question says that it may be blank, as GitHub Copilot does', async () => {
  box.typed = ['', ' company.ghe.com ', undefined];
  const ask = () =>
    prompt({ type: 'text', message: 'GitHub Enterprise URL/domain (blank for github.com)' });
  expect(await ask()).toBe('');
  expect(await ask()).toBe('company.ghe.com');
  await expect(ask()).rejects.toSatisfy(isCancellationError);
});

it('takes no empty answer for one elsewhere', async () => {
  box.typed = ['', ' ', ''];
  for (const type of ['secret', 'manual_code', 'text'] as const) {
    const answer = prompt({ type, message: 'Enter Cloudflare account ID' });
    await expect(answer).rejects.toSatisfy(isCancellationError);
  }
});
