import { expect, it } from 'vitest';
import { AppLife } from '../../../../src/agent/apps/life.js';
import { SessionApps } from '../../../../src/agent/apps/sessionApps.js';
import { Emitter } from '../../../../src/base/event.js';
import { CallableServer, FakeMcpService } from '../../../helpers/fakes/fakeAgentMcp.js';

it('says of an app that comes when its conversation has ended that it may not go on', async () => {
  const tool = {
    name: 'show_orders',
    inputSchema: { type: 'object' },
    ui: { resourceUri: 'ui://shop' },
  };
  const server = new CallableServer('shop', [tool], () => Promise.reject(new Error('not called')));
  const service = new FakeMcpService([server]).asService;
  const result = { content: [], isError: false };
  const stored = { serverId: server.id, server: 'shop', tool: tool.name, args: {}, result };
  const apps = new SessionApps({
    service,
    folderUri: undefined,
    bridge: { findForApp: () => undefined },
    identities: { identifyTool: () => ({ key: '', claims: [] }) },
    approvals: { check: () => Promise.reject(new Error('not asked')) },
    results: { get: () => Promise.resolve(stored) },
    tools: undefined,
  });
  const call = await apps.callOf('c1');
  // while the user is asked whether they want to see it
  apps.dispose();
  const consents = { covers: () => true, onDidChange: new Emitter<void>().event };
  const life = new AppLife({ service, consents, call, permissions: [] });
  expect(life.state.value).toEqual({ kind: 'over' });
  life.dispose();
});
