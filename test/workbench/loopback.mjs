// @ts-check
/** Servers on loopback: how each of them begins and ends. */
import { once } from 'node:events';

/** Milliseconds. Node's five seconds pass on a busy machine while a client writes its next request. */
const keepAliveTimeout = 60_000;

/**
 * @param {import('node:net').Server} server
 * @param {number} [port] default: a free one
 * @returns {Promise<number>} the port
 */
export async function startServer(server, port = 0) {
  if ('keepAliveTimeout' in server) {
    server.keepAliveTimeout = keepAliveTimeout;
  }
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address ? address.port : port;
}

/**
 * With all connections that it has.
 * @param {import('node:http').Server | import('node:https').Server} server
 */
export async function endServer(server) {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
