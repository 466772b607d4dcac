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

it.each([
  ...['bun', 'bunx', 'deno', 'docker', 'nerdctl', 'node', 'npm', 'npx', 'podman'],
  ...['python', 'python3', 'uv', 'uvx'],
])('says where to install %s, which is missing', async (command) => {
  const failure = fakeFailure({ code: 'spawn_enoent', facts: { command } });
  const server = new FakeServer(fakeDefinition('one'), { kind: 'error', failure });
  const opened: string[] = [];
  await performFix(server, {
    service: {} as never,
    inputs: {} as never,
    window: { openUrl: async (url: string) => void opened.push(url) } as never,
  });
  expect(opened).toEqual([expect.stringMatching(/^https:\/\/.+/)]);
});
