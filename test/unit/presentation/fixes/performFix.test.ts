import { expect, it } from 'vitest';
import type { McpServerChange } from '../../../../src/config/configuration.js';
import { performFix } from '../../../../src/presentation/fixes/performFix.js';
import { FakeServer, fakeDefinition, fakeFailure } from '../../../helpers/fakes/fakeMcp.js';

it('keeps what others write into the entry while the user is asked for a value', async () => {
  const entry = { command: 'node', env: { LEVEL: 'info' } };
  const failure = fakeFailure({ code: 'variable_unset', facts: { variable: 'API_KEY' } });
  const server = new FakeServer(fakeDefinition('one'), { kind: 'error', failure });
  const changes: McpServerChange[] = [];
  await performFix(server, {
    service: {
      configuration: {
        read: async () => ({ name: 'one', entry: structuredClone(entry) }),
        updateServer: async (_id: string, change: McpServerChange) => void changes.push(change),
      } as never,
    },
    inputs: { set: async () => undefined },
    window: {
      run: async () => undefined,
      askValue: async () => {
        Object.assign(entry.env, { LEVEL: 'debug', PROXY: 'http://proxy' });
        return 'a value';
      },
    } as never,
  });
  expect(changes[0]?.entry).toEqual({
    env: { LEVEL: 'debug', PROXY: 'http://proxy', API_KEY: '${input:API_KEY}' },
  });
});
