/**
 * VS Code's own MCP client, as its settings and its tools show it. It reads the `.mcp.json` of folders, too, and knows
 * nothing of our consent.
 */
import * as vscode from 'vscode';
import { DisposableOwner } from '../../base/disposable.js';
import { Emitter } from '../../base/event.js';
import { isJsonObject } from '../../base/json.js';
import type { OtherClient } from '../../config/lint/lintTypes.js';
import type { EditorClient } from '../../mcp/otherClients/doubleStarts.js';
import { type EditorRules, editorDiscoveries } from '../../mcp/otherClients/prediction.js';

const settings = {
  access: 'chat.mcp.access',
  discovery: 'chat.mcp.discovery.enabled',
  isOff: 'chat.disableAIFeatures',
} as const;

export class VsCodeClient extends DisposableOwner implements EditorClient {
  private readonly emitter = this.store.add(new Emitter<void>());
  readonly onDidChange = this.emitter.event;
  /** Asked for each row that is drawn. */
  private known: EditorRules | undefined;

  constructor() {
    super();
    this.store.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (['chat.mcp', settings.isOff].some((setting) => event.affectsConfiguration(setting))) {
          this.known = undefined;
          this.emitter.fire();
        }
      }),
    );
  }

  get rules(): EditorRules {
    this.known ??= readRules();
    return this.known;
  }

  /** Itself, where somebody set it up and did not switch it off. */
  get clients(): readonly OtherClient[] {
    const configuration = vscode.workspace.getConfiguration();
    const isSetUp = [settings.access, settings.discovery].some((name) => {
      const setting = configuration.inspect<unknown>(name);
      return (setting?.globalValue ?? setting?.workspaceValue) !== undefined;
    });
    return isSetUp && configuration.get(settings.access) !== 'none' ? ['vscode'] : [];
  }

  get tools(): readonly string[] {
    const lm: Partial<typeof vscode.lm> | undefined = vscode.lm;
    return (lm?.tools ?? []).flatMap(({ name, tags }) => (tags.includes('mcp') ? [name] : []));
  }
}

/** Without the setting of who may start there is no such client; `registry` lets nothing of files start. */
function readRules(): EditorRules {
  const configuration = vscode.workspace.getConfiguration();
  const discovery = configuration.get<unknown>(settings.discovery);
  return {
    startsFiles:
      configuration.get(settings.access) === 'all' && configuration.get(settings.isOff) !== true,
    discoveries: new Set(
      editorDiscoveries.filter((one) => isJsonObject(discovery) && discovery[one] === true),
    ),
  };
}
