import { expect, it, onTestFinished } from 'vitest';
import type { PiTool } from '../../../../src/agent/pi/piModule.js';
import { defaultToolPolicy } from '../../../../src/agent/policy/toolPolicy.js';
import { SessionCalls } from '../../../../src/agent/session/sessionCalls.js';
import { ToolBridge } from '../../../../src/agent/tools/toolBridge.js';
import { defaultOptions } from '../../../../src/config/schema/fields.js';
import { CallableServer, FakeMcpService } from '../../../helpers/fakes/fakeAgentMcp.js';

it('runs nothing through the gateway that was approved for an earlier call of the same id', async () => {
  const called: unknown[] = [];
  const inputSchema = {
    type: 'object',
    properties: { path: { type: 'string' } },
    required: ['path'],
  };
  const server = new CallableServer('disk', [{ name: 'wipe', inputSchema }], (_tool, args) => {
    called.push(args);
    return Promise.resolve({ content: [], isError: false });
  });
  const options = { ...defaultOptions, exposure: 'proxy' } as const;
  Object.assign(server, { definition: { ...server.definition, options } });
  const bridge = new ToolBridge({
    service: new FakeMcpService([server]).asService,
    folderUri: undefined,
    countTokens: (text) => text.length / 4,
    policy: defaultToolPolicy,
  });
  onTestFinished(() => bridge.dispose());
  const identify = (name: string, args: unknown) => {
    const tool = bridge.resolve(name, args);
    return { key: tool ? bridge.keyOf(tool) : name, claims: [] };
  };
  const calls = new SessionCalls(bridge, { identify } as never, {} as never, () => undefined);
  const run = async (args: object) => {
    const { refusal, pin } = await calls.describe('mcp', args);
    expect(refusal).toBeUndefined();
    pin?.('functions.mcp:0');
    const definition = bridge.offered.find(({ name }) => name === 'mcp')?.definition;
    const call = ['functions.mcp:0', args, undefined, undefined, undefined];
    return await definition?.execute(...(call as never as Parameters<PiTool['execute']>));
  };
  // approved, and not run: the server would not take it
  await expect(run({ tool: 'wipe', args: {} })).rejects.toThrow('path');
  // nobody is asked about it, as it calls no tool
  const other = run({ tool: 'wipe everything', args: { path: '/' } });
  await expect(other).rejects.toThrow('There is no tool');
  expect(called).toEqual([]);
});
