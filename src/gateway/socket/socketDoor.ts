/** A second door beside HTTP that no page in a browser can reach, and that only this user can open. */
import { randomBytes } from 'node:crypto';
import { chmod } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { createSocketPath, removeSocketPath } from '../../platform/socketFolder.js';
import { gatewayLimits } from '../http/limits.js';

export interface SocketDoorOptions {
  /** Takes a connection; what it rejects with ends the connection. */
  readonly serve: (socket: Socket) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

const isWindows = process.platform === 'win32';

export class SocketDoor {
  private readonly sockets = new Set<Socket>();

  private constructor(
    /** A Unix socket, or a named pipe. */
    readonly path: string,
    private readonly server: Server,
  ) {}

  static async open({ serve, onError }: SocketDoorOptions): Promise<SocketDoor> {
    const path = await createPath();
    const server = createServer();
    server.maxConnections = gatewayLimits.sessions;
    const door = new SocketDoor(path, server);
    server.on('connection', (socket) => {
      door.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => door.sockets.delete(socket));
      serve(socket).catch((error: unknown) => {
        onError(error);
        socket.destroy();
      });
    });
    try {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(path, resolve);
      });
      if (!isWindows) {
        await chmod(path, 0o600);
      }
    } catch (error) {
      server.close();
      await removePath(path);
      throw error;
    }
    server.on('error', onError);
    return door;
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      // a client that reads nothing would hold it for ever
      const timer = setTimeout(() => {
        for (const socket of this.sockets) {
          socket.destroy();
        }
      }, gatewayLimits.flushMs);
      this.server.close(() => {
        clearTimeout(timer);
        resolve();
      });
      for (const socket of this.sockets) {
        socket.destroySoon();
      }
    });
    await removePath(this.path);
  }
}

async function createPath(): Promise<string> {
  return isWindows ? `\\\\.\\pipe\\pi-mcp-${randomBytes(16).toString('hex')}` : createSocketPath();
}

async function removePath(path: string): Promise<void> {
  if (!isWindows) {
    await removeSocketPath(path);
  }
}
