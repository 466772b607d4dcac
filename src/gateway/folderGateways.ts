import { type Disposable, DisposableStore } from '../base/disposable.js';
import { Emitter } from '../base/event.js';
import type { McpServerId } from '../config/definition.js';
import { folderUnknown } from '../config/errors.js';
import { Gateway, type GatewayOptions } from './gateway.js';
import type { LentCall } from './lending/lentCalls.js';
import type { LendingRules } from './lending/lentServers.js';

export interface FolderGatewaysOptions
  extends Pick<GatewayOptions, 'service' | 'version' | 'approve' | 'statistics' | 'onError'> {
  /** Where the next one listens. Default: 0, any that is free. */
  readonly port?: () => number;
  /** Default: nothing narrows what is lent. */
  readonly rules?: (folderUri: string) => LendingRules;
}

/** The gateways of a window: at most one for each folder, and none that its user has not started. */
export class FolderGateways implements Disposable {
  private readonly store = new DisposableStore();
  private readonly changeEmitter = this.store.add(new Emitter<string>());
  private readonly endEmitter = this.store.add(new Emitter<string>());
  private readonly willEndEmitter = this.store.add(new Emitter<string>());
  /** With the folder whose gateway has started or ended. */
  readonly onDidChange = this.changeEmitter.event;
  /** With the folder whose gateway still serves, but is about to end. */
  readonly onWillEnd = this.willEndEmitter.event;
  /** With the folder whose gateway has ended. */
  readonly onDidEnd = this.endEmitter.event;
  private readonly running = new Map</* folder uri */ string, Gateway>();
  private readonly starting = new Map</* folder uri */ string, Promise<Gateway>>();

  constructor(private readonly options: FolderGatewaysOptions) {
    const { service, onError } = options;
    this.store.add(
      service.onDidChangePools(() => {
        for (const folderUri of this.running.keys()) {
          if (!service.getPool(folderUri)) {
            void this.stop(folderUri).catch(onError);
          }
        }
      }),
    );
  }

  get folders(): readonly string[] {
    return [...this.running.keys()];
  }

  get(folderUri: string): Gateway | undefined {
    return this.running.get(folderUri);
  }

  /** What runs for clients on that server now. */
  callsOf(server: McpServerId): readonly LentCall[] {
    return [...this.running.values()].flatMap(({ calls }) => calls.of(server));
  }

  /** The one that runs, or a new one. @throws {HumanError} */
  start(folderUri: string): Promise<Gateway> {
    const known = this.running.get(folderUri);
    const isThere = known !== undefined && !known.isEnding;
    const starting = isThere ? Promise.resolve(known) : this.starting.get(folderUri);
    if (starting) {
      return starting;
    }
    const opening = this.open(folderUri).finally(() => this.starting.delete(folderUri));
    this.starting.set(folderUri, opening);
    return opening;
  }

  /** Resolves when nothing of it is left. */
  async stop(folderUri: string): Promise<void> {
    await this.starting.get(folderUri)?.catch(() => undefined);
    await this.running.get(folderUri)?.stop();
  }

  async stopAll(): Promise<void> {
    const folders = new Set([...this.running.keys(), ...this.starting.keys()]);
    await Promise.all([...folders].map((folderUri) => this.stop(folderUri)));
  }

  dispose(): void {
    void this.stopAll().catch(this.options.onError);
    this.store.dispose();
  }

  private async open(folderUri: string): Promise<Gateway> {
    const { service } = this.options;
    // one that ends may have the port
    await this.running.get(folderUri)?.stop();
    const gateway = await Gateway.start({
      ...this.options,
      port: this.options.port?.(),
      folderUri,
      rules: this.options.rules?.(folderUri),
    });
    if (this.store.isDisposed || !service.getPool(folderUri)) {
      await gateway.stop();
      throw folderUnknown();
    }
    this.running.set(folderUri, gateway);
    gateway.onWillEnd(() => this.willEndEmitter.fire(folderUri));
    gateway.onDidEnd(() => {
      this.running.delete(folderUri);
      this.changeEmitter.fire(folderUri);
      this.endEmitter.fire(folderUri);
    });
    this.changeEmitter.fire(folderUri);
    return gateway;
  }
}
