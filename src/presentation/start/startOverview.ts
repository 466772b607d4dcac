/** Follows what an empty conversation says. */
import type { ConversationLibrary } from '../../agent/panel/library.js';
import { DisposableOwner } from '../../base/disposable.js';
import { Emitter } from '../../base/event.js';
import type { McpService } from '../../mcp/mcpApi.js';
import type { StartView } from '../../protocol/start/startView.js';
import { startView } from './startView.js';

export interface StartOverviewOptions {
  readonly library: Pick<ConversationLibrary, 'list' | 'onDidChange'>;
  readonly service: Pick<McpService, 'serversFor' | 'onDidChangePools' | 'onDidChangeServer'>;
  /** Of the shown conversation. */
  readonly folderUri: () => string | undefined;
  /** Such as `en`. */
  readonly language: string;
}

export class StartOverview extends DisposableOwner {
  private readonly changeEmitter = this.store.add(new Emitter<void>());

  readonly onDidChange = this.changeEmitter.event;

  constructor(private readonly options: StartOverviewOptions) {
    super();
    const { library, service } = options;
    this.store.add(library.onDidChange(() => this.changeEmitter.fire()));
    this.store.add(service.onDidChangePools(() => this.changeEmitter.fire()));
    this.store.add(service.onDidChangeServer(() => this.changeEmitter.fire()));
  }

  async read(): Promise<StartView> {
    const { library, service, folderUri, language } = this.options;
    const folder = folderUri();
    // those of a folder whose conversations cannot be read are there all the same
    const conversations = await library.list().catch(() => []);
    return startView({
      conversations,
      servers: service.serversFor(folder),
      folder,
      now: Date.now(),
      language,
    });
  }
}
