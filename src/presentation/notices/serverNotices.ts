/**
 * Who is told that a server stopped working, and when. The tree and the status bar always say it; a notice is for who
 * looks at neither while a server that was in use needs them: once for each cause, late enough for what heals by itself.
 */
import {
  type Disposable,
  DisposableMap,
  DisposableOwner,
  MutableDisposable,
} from '../../base/disposable.js';
import type { McpServerId } from '../../config/definition.js';
import type { McpServer, McpService } from '../../mcp/mcpApi.js';
import type { Clock } from '../../platform/clock.js';
import { failureOf } from '../tree/serverPresentation.js';

export interface ServerNoticesParts {
  readonly service: Pick<McpService, 'getServer' | 'onDidChangeServer' | 'onDidChangePools'>;
  readonly clock: Pick<Clock, 'after'>;
  /** The user sees the rows of the servers. */
  readonly isInSight: () => boolean;
  /** The user wants to be told. */
  readonly isWanted: () => boolean;
  /** Gets what failed together. */
  readonly tell: (servers: readonly McpServer[]) => void;
}

/** Milliseconds in which servers that fail of one cause, such as a lost network, become one notice. */
export const gatherMs = 2000;
/** Milliseconds for a server that is connected again by itself. */
export const healMs = 30_000;

export class ServerNotices extends DisposableOwner {
  /** Those that have worked in this window: what never did is no news. */
  private readonly used = new Set<McpServerId>();
  private readonly told = new Set</* server and cause */ string>();
  private readonly patience = this.store.add(new DisposableMap<McpServerId, Disposable>());
  /** Have been failing for as long as they may. */
  private readonly overdue = new Set<McpServerId>();
  private readonly gathered = new Set<McpServerId>();
  private readonly gathering = this.store.add(new MutableDisposable());

  constructor(private readonly parts: ServerNoticesParts) {
    super();
    const { service } = parts;
    this.store.add(service.onDidChangeServer((server) => this.follow(server)));
    this.store.add(service.onDidChangePools(() => this.forgetGone()));
  }

  private follow(server: McpServer): void {
    const { id } = server;
    const state = server.state.value;
    const failure = failureOf(state);
    if (state.kind === 'connecting' || (failure && !this.used.has(id))) {
      return;
    }
    if (!failure) {
      this.settle(id);
      if (state.kind === 'connected') {
        this.used.add(id);
      }
      return;
    }
    if (state.kind === 'needs_auth' || this.overdue.has(id)) {
      this.gather(id);
    } else if (!this.patience.has(id)) {
      const isHealing = state.kind === 'error' && state.nextRetryAt !== undefined;
      const waiting = this.parts.clock.after(isHealing ? healMs : 0, () => {
        this.patience.delete(id);
        this.overdue.add(id);
        this.gather(id);
      });
      this.patience.set(id, waiting);
    }
  }

  /** It works again, or shall not. */
  private settle(id: McpServerId): void {
    this.patience.delete(id);
    this.overdue.delete(id);
    this.gathered.delete(id);
  }

  private gather(id: McpServerId): void {
    if (this.gathered.size === 0) {
      this.gathering.value = this.parts.clock.after(gatherMs, () => this.tellGathered());
    }
    this.gathered.add(id);
  }

  private tellGathered(): void {
    const { service, isInSight, isWanted, tell } = this.parts;
    const servers = [...this.gathered].flatMap((id) => {
      const server = service.getServer(id);
      const failure = server && failureOf(server.state.value);
      return server && failure ? [{ server, cause: `${failure.code}\0${id}` }] : [];
    });
    this.gathered.clear();
    const news = servers.filter(({ cause }) => !this.told.has(cause));
    if (news.length === 0 || !isWanted()) {
      return;
    }
    for (const { cause } of news) {
      this.told.add(cause);
    }
    if (!isInSight()) {
      tell(news.map(({ server }) => server));
    }
  }

  private forgetGone(): void {
    const { service } = this.parts;
    for (const id of [...this.used]) {
      if (!service.getServer(id)) {
        this.used.delete(id);
        this.settle(id);
      }
    }
  }
}
