import { once } from 'node:events';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, it, vi } from 'vitest';
import { ServerEvents } from '../../../../src/gateway/rest/serverEvents.js';
import type { McpService } from '../../../../src/mcp/mcpApi.js';
import { FakeService } from '../../../helpers/fakes/fakeMcp.js';

it('leaves its place at once when the client went before the first event', async () => {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  response.destroy();
  await once(response, 'close');
  const onDidEnd = vi.fn();
  const events = new ServerEvents(
    {
      service: new FakeService([]) as unknown as McpService,
      folderUri: undefined,
      ending: new AbortController().signal,
      onError: (error) => expect.unreachable(String(error)),
    },
    onDidEnd,
  );
  events.sendTo(response);
  expect(onDidEnd).toHaveBeenCalledOnce();
});
