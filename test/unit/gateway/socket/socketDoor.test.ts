import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { SocketDoor } from '../../../../src/gateway/socket/socketDoor.js';

let client: Socket | undefined;
afterEach(() => client?.destroy());

it('closes although a client does not read what it was sent', async () => {
  const text = 'x'.repeat(4 * 1024 * 1024);
  let written: () => void = () => undefined;
  const isWritten = new Promise<void>((resolve) => {
    written = resolve;
  });
  const door = await SocketDoor.open({
    serve: async (socket) => {
      socket.write(text);
      written();
    },
    onError: (error) => expect.unreachable(String(error)),
  });
  client = connect(door.path);
  client.on('error', () => undefined);
  client.pause();
  await Promise.all([once(client, 'connect'), isWritten]);
  await door.close();
}, 3000);
