import * as l10n from '@vscode/l10n';
import { type Disposable, DisposableStore } from '../../base/disposable.js';
import { stableStringify } from '../../base/json.js';
import { nameToken } from '../../base/text/nameToken.js';
import { type ObservableValue, ValueEmitter } from '../../base/valueEmitter.js';
import type { AppConsents } from '../../mcp/apps/consents.js';
import type { McpService } from '../../mcp/mcpApi.js';
import type { AppCall } from './sessionApps.js';

/** `over` is for good. */
export type AppState =
  | { readonly kind: 'live' }
  | { readonly kind: 'frozen'; readonly reason: string }
  | { readonly kind: 'over' };

export interface AppLifeOptions {
  readonly service: McpService;
  readonly consents: Pick<AppConsents, 'covers' | 'onDidChange'>;
  readonly call: AppCall;
  /** What the app may reach; see `permissionsOf`. */
  readonly permissions: readonly string[];
}

/** Says whether an app may go on, and keeps its server from being stopped as idle meanwhile. */
export class AppLife implements Disposable {
  private readonly store = new DisposableStore();
  private readonly current: ValueEmitter<AppState>;
  private hasEnded = false;

  constructor(private readonly options: AppLifeOptions) {
    const { service, consents, call } = options;
    this.current = new ValueEmitter(
      this.read(),
      (a, b) => stableStringify(a) === stableStringify(b),
    );
    const update = () => this.update();
    this.store.add(call.server.hold('app'));
    this.store.add(service.onDidChangePools(update));
    this.store.add(service.trust.onDidChange(update));
    this.store.add(call.server.state.onDidChange(update));
    this.store.add(consents.onDidChange(update));
    this.store.add(
      call.onDidEnd(() => {
        this.hasEnded = true;
        update();
      }),
    );
  }

  get state(): ObservableValue<AppState> {
    return this.current;
  }

  dispose(): void {
    this.store.dispose();
    this.current.dispose();
  }

  private update(): void {
    if (this.current.value.kind !== 'over') {
      this.current.set(this.read());
    }
  }

  private read(): AppState {
    const { service, consents, call, permissions } = this.options;
    const { server, folderUri } = call;
    const isAllowed =
      !this.hasEnded &&
      service.trust.isWorkspaceTrusted &&
      service.serversFor(folderUri).includes(server) &&
      consents.covers(server.definition, folderUri, permissions);
    if (!isAllowed) {
      return { kind: 'over' };
    }
    switch (server.state.value.kind) {
      case 'connected':
        return { kind: 'live' };
      case 'connecting':
      case 'idle':
      case 'error':
      case 'needs_auth':
        return {
          kind: 'frozen',
          reason: l10n.t(
            'The app goes on when its MCP server is connected: {0}',
            nameToken(server.definition.name),
          ),
        };
      case 'disabled':
      case 'invalid':
      case 'trust_required':
        return { kind: 'over' };
    }
  }
}
