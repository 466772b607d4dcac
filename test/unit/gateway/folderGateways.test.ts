import { expect, it } from 'vitest';
import { Emitter } from '../../../src/base/event.js';
import { FolderGateways } from '../../../src/gateway/folderGateways.js';
import type { McpService } from '../../../src/mcp/mcpApi.js';
import { FakeService, fakePool } from '../../helpers/fakes/fakeMcp.js';

const folder = { uri: 'file:///work', name: 'work', fsPath: '/work' };

it('starts another gateway while the one before it ends', async () => {
  const service = Object.assign(new FakeService([fakePool([], { folder })]), {
    serversFor: () => [],
    onDidChangeServer: new Emitter<never>().event,
    trust: { onDidChange: new Emitter<void>().event },
  });
  const gateways = new FolderGateways({
    service: service as unknown as McpService,
    version: '0.0.0',
    onError: (error) => expect.unreachable(String(error)),
  });
  try {
    const first = await gateways.start(folder.uri);
    const stopping = gateways.stop(folder.uri);
    await Promise.resolve();
    expect(first.isEnding).toBe(true);
    const second = await gateways.start(folder.uri);
    await stopping;
    expect(second.isEnding).toBe(false);
    expect(gateways.get(folder.uri)).toBe(second);
  } finally {
    await gateways.stopAll();
  }
});
