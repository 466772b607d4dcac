import type { ServerResponse } from 'node:http';
import { DisposableStore, toDisposable } from '../../base/disposable.js';
import { errorMessage } from '../../base/errors.js';
import type { JsonObject } from '../../base/json.js';
import { globalPoolId, serverId } from '../../config/definition.js';
import type { McpServer, McpService } from '../../mcp/mcpApi.js';
import { type ServerKey, watchServers } from '../../mcp/service/watchServers.js';
import { statusesView } from './restViews.js';

export interface ServerEventsParts {
  readonly service: McpService;
  /** The only project; `undefined`: there is none. */
  readonly folderUri: string | undefined;
  /** The gateway ends. */
  readonly ending: AbortSignal;
  readonly onError: (error: unknown) => void;
}

/** Milliseconds after which a stream without news says that it is there. */
const signOfLifeMs = 25_000;
/** Of what a client may leave unread; the next state says what it missed. */
const maxUnreadBytes = 1024 * 1024;

/** States of servers for one client, until it goes or the gateway ends. */
export class ServerEvents {
  constructor(
    private readonly parts: ServerEventsParts,
    private readonly onDidEnd: () => void,
  ) {}

  sendTo(response: ServerResponse): void {
    const { service, ending, onError } = this.parts;
    if (response.closed) {
      // it would not say so again
      this.onDidEnd();
      return;
    }
    const store = new DisposableStore();
    const end = () => response.end();
    const write = (text: string) => {
      response.write(text);
      if (response.writableLength > maxUnreadBytes) {
        response.destroy();
      }
    };
    const tell = (event: string, data: JsonObject) =>
      write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    response.once('close', () => {
      store.dispose();
      this.onDidEnd();
    });
    ending.addEventListener('abort', end, { once: true });
    store.add(toDisposable(() => ending.removeEventListener('abort', end)));
    const timer = setInterval(() => write(': here\n\n'), signOfLifeMs);
    store.add(toDisposable(() => clearInterval(timer)));
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    let last = Promise.resolve();
    const queue = (keys: readonly ServerKey[]) => {
      last = last
        .then(() => this.tellOf(keys, tell))
        .catch((error: unknown) => onError(`events: ${errorMessage(error)}`));
    };
    store.add(watchServers(service, (keys) => queue(keys.filter((key) => this.isShown(key)))));
    queue(this.shown.map(({ definition }) => definition));
  }

  private async tellOf(
    keys: readonly ServerKey[],
    tell: (event: string, data: JsonObject) => void,
  ): Promise<void> {
    const { service } = this.parts;
    const servers = keys.map(({ poolId, name }) => service.getServer(serverId(poolId, name)));
    const there = servers.filter((server) => server !== undefined);
    const gone = keys.filter((_key, index) => servers[index] === undefined);
    if (there.length > 0) {
      tell('status', { status: await statusesView(service, there) });
    }
    if (gone.length > 0) {
      tell('removed', { servers: gone.map(keyView) });
    }
  }

  private get shown(): readonly McpServer[] {
    return this.parts.service.servers.filter(({ definition }) => this.isShown(definition));
  }

  private isShown({ poolId }: ServerKey): boolean {
    return poolId === globalPoolId || poolId === this.parts.folderUri;
  }
}

function keyView({ poolId, name }: ServerKey): JsonObject {
  return poolId === globalPoolId
    ? { scope: 'global', name }
    : { scope: 'project', projectId: poolId, name };
}
