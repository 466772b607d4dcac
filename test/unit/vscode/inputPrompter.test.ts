import { expect, it, vi } from 'vitest';
import { InputPrompter } from '../../../src/vscode/prompts/inputPrompter.js';
import { fakeDefinition } from '../../helpers/fakes/fakeMcp.js';

// else a file before it in the same worker has loaded what is put in place here
vi.hoisted(() => vi.resetModules());
const box = vi.hoisted(() => ({ typed: [] as (string | undefined)[] }));
vi.mock('vscode', () => ({
  l10n: { t: (text: string) => text },
  window: { showInputBox: async () => box.typed.shift() },
  CancellationTokenSource: class {
    dispose() {}
  },
}));

/** While a question of another server waits for a user who is elsewhere. */
async function whileAnotherWaits() {
  const values = new Map([['known', 'value']]);
  const invited: string[] = [];
  const prompter = new InputPrompter({
    store: {
      get: async ({ inputId }: { inputId: string }) => values.get(inputId),
      set: async ({ inputId }: { inputId: string }, value: string) => values.set(inputId, value),
    },
    describe: () => undefined,
    invite: ({ definition }: { definition: { name: string } }) => {
      invited.push(definition.name);
      return new Promise<boolean>(() => undefined);
    },
  } as never);
  void prompter.resolve('global', 'asked', fakeDefinition('first'));
  await expect.poll(() => invited).toEqual(['first']);
  const late = () => new Promise((resolve) => setImmediate(() => resolve('still waits')));
  return { prompter, soon: (value: Promise<unknown>) => Promise.race([value, late()]) };
}

it('gives a server a value that is known while a question of another one waits for the user', async () => {
  const { prompter, soon } = await whileAnotherWaits();
  const known = prompter.resolve('global', 'known', fakeDefinition('second'));
  expect(await soon(known)).toBe('value');
});

it('asks for a server that the user starts while a question of another one waits for them', async () => {
  const { prompter, soon } = await whileAnotherWaits();
  const server = fakeDefinition('second');
  const start = () =>
    prompter.whileWanted(server, async () => [
      await prompter.resolve('global', 'new', server),
      await prompter.resolve('global', 'new', server),
    ]);
  // dismissed once is enough
  box.typed = [undefined, 'asked again'];
  expect(await soon(start())).toEqual([undefined, undefined]);
  box.typed = ['typed'];
  expect(await start()).toEqual(['typed', 'typed']);
});

it('asks for a server that the user starts while it waits behind a question of another one', async () => {
  const { prompter, soon } = await whileAnotherWaits();
  const server = fakeDefinition('second');
  const starting = prompter.resolve('global', 'new', server);
  await new Promise((resolve) => setImmediate(resolve));
  box.typed = ['typed'];
  expect(await soon(prompter.whileWanted(server, () => starting))).toBe('typed');
});
