import type { McpConnection } from '../connection/mcpConnection.js';
import type { RequestOptions } from '../connection/session/engine.js';
import type { McpCallOptions, McpDirectRequests } from '../mcpApi.js';

/** @param request sends over the connection, once there is one */
export function createDirectRequests(
  request: (
    options: McpCallOptions | undefined,
    send: (connection: McpConnection, request: RequestOptions) => Promise<void>,
  ) => Promise<void>,
): McpDirectRequests {
  return {
    send: (method, params, options) =>
      request(options, async ({ session }, bounds) => {
        await session.request(method, params, bounds);
      }),
    ping: (options) => request(options, ({ session }, bounds) => session.ping(bounds)),
    setLogLevel: (level, options) =>
      request(options, ({ session }, bounds) => session.setLogLevel(level, bounds)),
  };
}
