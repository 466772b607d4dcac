import type * as vscode from 'vscode';
import { DisposableOwner } from '../../base/disposable.js';
import { serverUnknown } from '../../config/errors.js';
import type { SecretKeeper } from '../../config/fixes/secretKeeper.js';
import type { McpService } from '../../mcp/mcpApi.js';
import { checkServer } from '../../presentation/configPage/checkServer.js';
import { toFormEntry } from '../../presentation/configPage/entryMapping.js';
import { formModels } from '../../presentation/configPage/formModel.js';
import {
  readSettings,
  saveServer,
  saveSettings,
} from '../../presentation/configPage/saveServer.js';
import { configViewState } from '../../presentation/configPage/viewState.js';
import {
  booleanParam,
  formParams,
  objectParam,
  optionalStringParam,
  saveParams,
  stringParam,
} from '../../presentation/params.js';
import type { FormRequests, FormTarget } from '../../protocol/configProtocol.js';
import { MessageChannel, type MessageHandlers } from '../../protocol/messages.js';
import { settingsScope } from '../../protocol/server/serverProtocol.js';
import type { PageKit } from '../webviews/webviewHtml.js';

/** The page's open form, while its tab is closed. */
export interface KeptForm {
  readonly form: unknown;
  /** Its heading, when it has changes that are not saved. */
  readonly unsaved: string | undefined;
}

/** Where what was typed outlives the tab. */
export interface FormMemory {
  recall(): unknown;
  keep(kept: KeptForm): void;
}

export interface SettingsTabParts extends PageKit {
  readonly service: McpService;
  readonly secrets: SecretKeeper;
  /** What follows when an entry was saved under an id, which may be another one than before. */
  readonly saved: (id: string, isStarted: boolean) => Promise<void>;
  readonly close: () => void;
}

/** The form of an entry, on the page of its server; of a new one, or of the settings of a file, on a page of its own. */
export class SettingsTab extends DisposableOwner {
  readonly channel: MessageChannel<object, FormRequests>;

  constructor(
    webview: vscode.Webview,
    private readonly target: FormTarget,
    private readonly parts: SettingsTabParts,
    private readonly memory: FormMemory,
  ) {
    super();
    this.channel = this.store.add(
      new MessageChannel<object, FormRequests>({
        post: (message) => void webview.postMessage(message),
        scope: settingsScope,
        handlers: this.handlers(),
        logError: parts.logError,
      }),
    );
  }

  private handlers(): MessageHandlers<FormRequests> {
    const { parts, target, memory } = this;
    const { service } = parts;
    return {
      ready: () => ({
        target,
        pools: configViewState(service).pools,
        forms: formModels(),
        form: memory.recall(),
      }),
      keepForm: (params) => {
        const { form } = objectParam(params);
        memory.keep({ form, unsaved: optionalStringParam(params, 'unsaved') });
      },
      read: () => this.read(),
      saveServer: (params) => saveServer(parts, { ...saveParams(params), id: target.id }),
      checkServer: (params) => checkServer(parts, { ...saveParams(params), id: target.id }),
      saveSettings: (params) => saveSettings(service, target.poolId, formParams(params)),
      saved: async (params) => {
        if (!target.isSettings) {
          await parts.saved(stringParam(params, 'id'), booleanParam(params, 'isStarted'));
        }
      },
      close: () => parts.close(),
    };
  }

  private async read(): Promise<FormRequests['read']['result']> {
    const { service } = this.parts;
    const { id, poolId, isSettings } = this.target;
    if (isSettings) {
      return { name: '', entry: await readSettings(service, poolId) };
    }
    // a server that was just saved appears with the next reading of the files
    if (id !== undefined && !service.getServer(id)) {
      await service.reload();
    }
    if (id === undefined || !service.getServer(id)) {
      throw serverUnknown();
    }
    const { name, entry } = await service.configuration.read(id);
    return { name, entry: toFormEntry(entry) };
  }
}
