/** The model servers of this machine that answer, as far as anybody looked. */
import { type Disposable, DisposableStore } from '../../../base/disposable.js';
import { Emitter } from '../../../base/event.js';
import type { ModelServer } from '../servers/modelServer.js';

export class LocalServers implements Disposable {
  private readonly store = new DisposableStore();
  private readonly changeEmitter = this.store.add(new Emitter<void>());
  private readonly stop = new AbortController();
  private looking: Promise<void> | undefined;
  private servers: readonly ModelServer[] | undefined;

  readonly onDidChange = this.changeEmitter.event;

  /** @param look asks the ports of this machine */
  constructor(private readonly look: (signal: AbortSignal) => Promise<readonly ModelServer[]>) {}

  /** `undefined` while nobody looked. */
  get found(): readonly ModelServer[] | undefined {
    return this.servers;
  }

  /** Looks once at a time. Rejects when disposed. */
  async refresh(): Promise<void> {
    this.looking ??= this.read().finally(() => {
      this.looking = undefined;
    });
    await this.looking;
  }

  dispose(): void {
    this.stop.abort();
    this.store.dispose();
  }

  private async read(): Promise<void> {
    this.servers = await this.look(this.stop.signal);
    this.changeEmitter.fire();
  }
}
