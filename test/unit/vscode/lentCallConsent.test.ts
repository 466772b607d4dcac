import { expect, it, vi } from 'vitest';
import type { McpTool } from '../../../src/mcp/mcpTypes.js';
import { LentCallConsent } from '../../../src/vscode/questions/lentCallConsent.js';
import { CallableServer } from '../../helpers/fakes/fakeAgentMcp.js';

// else a file before it in the same worker has loaded what is put in place here
vi.hoisted(() => vi.resetModules());
vi.mock('vscode', () => ({
  l10n: { t: (text: string) => text },
  workspace: { workspaceFolders: undefined },
}));

it.each(['launch', 'tool'] as const)(
  'asks again for a tool that was allowed until the gateway stops when its %s is another one',
  async (what) => {
    let asked = 0;
    const consent = new LentCallConsent({
      queue: { put: async () => (++asked === 1 ? 'always' : 'deny') },
      approvals: () => ({}),
    } as never);
    const tool: McpTool = { name: 'read', inputSchema: { type: 'object' } };
    const server = new CallableServer('files', [tool], () =>
      Promise.reject(new Error('not called')),
    );
    const ask = async () => {
      const call = { client: { name: 'other' }, server, tool: 'read', args: {}, annotations: {} };
      await consent.ask(call as never, new AbortController().signal);
    };
    await ask();
    await ask();
    expect(asked).toBe(1);
    if (what === 'launch') {
      const launch = { ...server.definition.launch, args: ['other.js'] };
      Object.assign(server, { definition: { ...server.definition, launch } });
    } else {
      const tools = [{ ...tool, description: 'Deletes all files' }];
      server.catalog.set({ ...server.catalog.value, tools });
    }
    await expect(ask()).rejects.toThrow('did not allow the call');
  },
);

it.each([
  ['one argument', { command: `${'# nothing\n'.repeat(250)}rm -rf ~` }],
  ['all of them', { list: ['x'.repeat(25_000)], command: 'rm -rf ~' }],
])('says where it does not show the end of %s', async (_what, args) => {
  let texts: readonly string[] = [];
  const consent = new LentCallConsent({
    queue: {
      put: async ({ show }: { show: (signal: AbortSignal) => Promise<unknown> }, signal: never) =>
        await show(signal),
    },
    choices: {
      ask: async ({ rows }: { rows: readonly { text: string }[] }) => {
        texts = rows.map(({ text }) => text);
      },
    },
    approvals: () => ({}),
  } as never);
  const server = new CallableServer('files', [], () => Promise.reject(new Error('not called')));
  const call = { client: { name: 'other' }, server, tool: 'run', args, annotations: {} };
  await expect(consent.ask(call as never, new AbortController().signal)).rejects.toThrow();
  expect(texts.at(-1)).not.toContain('rm -rf');
  expect(texts.at(-1)).toMatch(/…$/);
});
