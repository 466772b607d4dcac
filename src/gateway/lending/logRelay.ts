/** Passes what servers log to the clients that asked for it. */
import { Coalescer } from '../../base/async/coalescer.js';
import { type Disposable, DisposableMap, toDisposable } from '../../base/disposable.js';
import { TokenBucket } from '../../base/tokenBucket.js';
import type { McpServerId } from '../../config/definition.js';
import { isSevereEnough, leastSevere } from '../../mcp/connection/session/serverLog.js';
import type { ServerLogLevel, ServerLogMessage } from '../../mcp/logTypes.js';
import type { McpServer } from '../../mcp/mcpApi.js';
import type { Cause } from '../../mcp/originTypes.js';

export interface LogListener {
  /** The least severe messages that it wants. */
  readonly level: ServerLogLevel;
  /** Hears only what its own requests cause. Default: only what nobody's do. */
  readonly client?: object | undefined;
  send(message: ServerLogMessage): void;
}

/** Messages to one client. */
const rate = { burst: 500, perSecond: 100 };
/** Clients that name a level with each request would have the servers told of it each time. */
const lowerDelayMs = 5000;

interface Watched extends Disposable {
  readonly server: McpServer;
  readonly level: ServerLogLevel;
}

export class LogRelay implements Disposable {
  private readonly listeners = new Set<LogListener>();
  private readonly watched = new DisposableMap<McpServerId, Watched>();
  private readonly lowering = new Coalescer(async () => this.refresh(), { delayMs: lowerDelayMs });

  /** @param isPlain the only server logs under its own names */
  constructor(
    private readonly servers: () => readonly McpServer[],
    private readonly isPlain: boolean,
  ) {}

  add(listener: LogListener): Disposable {
    const limited = { ...listener, send: limit(listener) };
    this.listeners.add(limited);
    this.refresh(this.level);
    return toDisposable(() => {
      this.listeners.delete(limited);
      this.lowering.request();
    });
  }

  /** Others of the servers are there, or others listen. @param atLeast what is heard now stays heard */
  refresh(atLeast?: ServerLogLevel): void {
    const level = leastSevere(
      [...this.listeners, { level: atLeast }].flatMap((one) => one.level ?? []),
    );
    const servers = level === undefined ? [] : this.servers();
    for (const id of [...this.watched.keys()]) {
      if (!servers.some((server) => server.id === id)) {
        this.watched.delete(id);
      }
    }
    for (const server of servers) {
      const present = this.watched.get(server.id);
      if (level !== undefined && (present?.server !== server || present.level !== level)) {
        const watch = server.log.watch(level, (message, cause) =>
          this.tell(server, message, cause),
        );
        this.watched.set(server.id, { server, level, dispose: () => watch.dispose() });
      }
    }
  }

  dispose(): void {
    this.lowering.dispose();
    this.listeners.clear();
    this.watched.dispose();
  }

  private get level(): ServerLogLevel | undefined {
    return leastSevere([...this.watched.values()].map(({ level }) => level));
  }

  private tell({ definition }: McpServer, message: ServerLogMessage, cause: Cause): void {
    const { level, logger, data } = message;
    const named = [definition.name, logger].filter((one) => one !== undefined).join('/');
    const told = this.isPlain ? message : { level, logger: named, data };
    for (const listener of this.listeners) {
      if (isFor(listener, cause) && isSevereEnough(level, listener.level)) {
        listener.send(told);
      }
    }
  }
}

/** What one client's call has a server say is not for another one; where it is not known whose it was, for none. */
function isFor({ client }: LogListener, cause: Cause): boolean {
  return (
    cause.kind === 'nobody' ||
    (cause.kind === 'client' && client !== undefined && cause.client === client)
  );
}

function limit({ send }: LogListener): LogListener['send'] {
  const bucket = new TokenBucket(rate);
  let isSkipping = false;
  return (message) => {
    // not one message at a time, of which each would come with one about the skipped ones
    if (bucket.take(isSkipping ? rate.perSecond : 1)) {
      isSkipping = false;
      send(message);
    } else if (!isSkipping) {
      isSkipping = true;
      const data = 'The servers log too much; messages are skipped.';
      send({ level: 'warning', logger: 'pi-mcp', data });
    }
  };
}
