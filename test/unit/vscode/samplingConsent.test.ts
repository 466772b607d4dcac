import { expect, it, vi } from 'vitest';
import { nullLogger } from '../../../src/platform/ports.js';
import { SamplingConsent } from '../../../src/vscode/questions/samplingConsent.js';
import { fakeDefinition } from '../../helpers/fakes/fakeMcp.js';

// else a file before it in the same worker has loaded what is put in place here
vi.hoisted(() => vi.resetModules());
vi.mock('vscode', () => ({
  l10n: { t: (text: string) => text },
  ProgressLocation: { Window: 10 },
  window: { withProgress: (_options: object, work: () => Promise<unknown>) => work() },
  workspace: { workspaceFolders: undefined },
}));

it('asks again for a server that is started otherwise than the one that was allowed', async () => {
  let asked = 0;
  const answer = { model: 'm', content: { type: 'text', text: 'secret' }, stopReason: 'endTurn' };
  const consent = new SamplingConsent({
    model: { isSetUp: async () => true, name: async () => 'm', answer: async () => answer },
    logs: { forServer: () => nullLogger },
    queue: {
      put: async () => {
        asked++;
        return asked === 1 ? 'always' : 'deny';
      },
    },
    aboutServer: () => ({ server: 'x', serverName: 'x', rows: [] }),
  } as never);
  const ask = (command: string) => {
    const launch = { kind: 'stdio', command, args: [], env: {}, inheritEnv: false } as const;
    const request = { messages: [], maxTokens: 10, tools: [] } as never;
    const definition = fakeDefinition('docs', { change: { launch } });
    return consent.ask(definition, request, new AbortController().signal);
  };
  expect(await ask('docs')).toEqual(answer);
  expect(await ask('docs')).toEqual(answer);
  expect(asked).toBe(1);
  expect(await ask('other')).toBeUndefined();
});

it('asks again for a model that is chosen while the card names another one', async () => {
  let name = 'local';
  const cards: { label: string; text: string }[] = [];
  const consent = new SamplingConsent({
    model: { name: async () => name, answer: async () => ({ model: name, content: [] }) },
    logs: { forServer: () => nullLogger },
    choices: { ask: async ({ rows }: { rows: typeof cards }) => void cards.push(...rows) },
    queue: {
      put: async ({ show }: { show: () => Promise<void> }) => {
        await show();
        name = 'cloud';
        return cards.length === 2 ? 'once' : 'deny';
      },
    },
    aboutServer: () => ({ server: 'x', serverName: 'x', rows: [] }),
  } as never);
  const request = { messages: [], maxTokens: 10, tools: [] } as never;
  const { signal } = new AbortController();
  expect(await consent.ask(fakeDefinition('docs'), request, signal)).toBeUndefined();
  // the limit of tokens is a row of the request alone
  expect(cards.map(({ text }) => text)).toEqual(['local', '10 tokens', 'cloud', '10 tokens']);
});
