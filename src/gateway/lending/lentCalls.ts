import { type Disposable, toDisposable } from '../../base/disposable.js';
import { Emitter } from '../../base/event.js';
import type { McpServerId } from '../../config/definition.js';

/** Who calls, as the client itself says: a claim, not a proof. */
export interface LentClient {
  readonly name: string;
  readonly version?: string;
}

/** A tool that a client of the gateway has called and that has not answered yet. */
export interface LentCall {
  readonly client: LentClient;
  readonly server: McpServerId;
  /** As its server calls it. */
  readonly tool: string;
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
