/** What stands behind the status of an answer, which servers write in their own language. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { baseFetch } from '../../../../../src/mcp/connection/clientEngine/http.js';
import { httpLaunch } from '../../../../fixtures/connections.js';

let server: Server;
/** Bytes; `undefined`: it answers nothing. */
let head: Buffer | undefined;

beforeEach(async () => {
  server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      if (!head) {
        return;
      }
      socket.end(Buffer.concat([head, Buffer.from('\r\nconnection: close\r\n\r\nbody')]));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterEach(() => void server.close());

function ask(
  ignoreCertificateErrors: boolean,
  signal = AbortSignal.timeout(5000),
): Promise<Response> {
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`;
  return baseFetch({ ...httpLaunch(url), ignoreCertificateErrors })(url, { signal });
}

describe.each([false, true])('an answer, without checks of certificates: %s', (isInsecure) => {
  it.each([
    ['Cyrillic', Buffer.from('HTTP/1.1 401 Не авторизован')],
    ['Latin-1', Buffer.from('HTTP/1.1 401 Non autorisé', 'latin1')],
    ['a control character', Buffer.from('HTTP/1.1 401 no\u0001')],
  ])('is heard whose reason is in %s', async (_, sent) => {
    head = sent;
    const response = await ask(isInsecure);
    expect([response.status, await response.text()]).toEqual([401, 'body']);
  });

  it('keeps its reason where that is plain', async () => {
    head = Buffer.from('HTTP/1.1 401 Sign in, please');
    expect((await ask(isInsecure)).statusText).toBe('Sign in, please');
  });

  it('that does not come is given up for the reason of who gives it up', async () => {
    head = undefined;
    await expect(ask(isInsecure, AbortSignal.timeout(50))).rejects.toMatchObject({
      name: 'TimeoutError',
    });
  });

  // what is thrown while it is read ends the command line
  it('with a status beyond those of the web is a failure', async () => {
    head = Buffer.from('HTTP/1.1 999 Request denied');
    await expect(ask(isInsecure)).rejects.not.toHaveProperty('name', 'TimeoutError');
  });
});
