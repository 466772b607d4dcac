import { type Disposable, toDisposable } from '../../base/disposable.js';
import { Emitter } from '../../base/event.js';
import type { JsonObject } from '../../base/json.js';
import type { McpServerId } from '../../config/definition.js';
import type { ServerLogMessage } from '../../mcp/logTypes.js';
import type { McpProgress } from '../../mcp/mcpTypes.js';
import type { RequestOrigin } from '../../mcp/originTypes.js';

/** Who calls, as the client itself says: a claim, not a proof. */
export interface LentClient {
  readonly name: string;
  readonly version?: string;
}

export interface Caller {
  readonly client: LentClient;
  readonly signal: AbortSignal;
  readonly onProgress?: ((progress: McpProgress) => void) | undefined;
  /** Where the request belongs in a trace of the client: goes on to the server with what it does for it. */
  readonly meta?: JsonObject | undefined;
  /** Asks the client what servers want to know for this request; hears only what belongs to its client. */
  readonly origin?: RequestOrigin | undefined;
  /** Keeps what the session has subscribed to. Default: it cannot subscribe. */
  readonly subscriptions?: {
    add(uri: string, open: () => Disposable): void;
    delete(uri: string): void;
    /** The client is told. */
    updated(uri: string): void;
    /** Instead of what it has heard of logs before. */
    listen(open: () => Disposable): void;
    /** The client is told what a server logs. */
    logged(message: ServerLogMessage): void;
  };
}

/** A tool that a client of the gateway has called and that has not answered yet. */
export interface LentCall {
  readonly client: LentClient;
  readonly server: McpServerId;
}

/** What runs for others now, so that a question of a server can say for whom. */
export class LentCalls implements Disposable {
  private readonly running = new Set<LentCall>();
  private readonly changeEmitter = new Emitter<void>();
  readonly onDidChange = this.changeEmitter.event;

  begin(call: LentCall): Disposable {
    this.running.add(call);
    this.changeEmitter.fire();
    return toDisposable(() => {
      this.running.delete(call);
      this.changeEmitter.fire();
    });
  }

  get all(): readonly LentCall[] {
    return [...this.running];
  }

  of(server: McpServerId): readonly LentCall[] {
    return this.all.filter((call) => call.server === server);
  }

  dispose(): void {
    this.changeEmitter.dispose();
  }
}
