import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import { isJsonObject } from '../../base/json.js';
import type { BuiltInCalls } from '../builtIn/builtInCalls.js';
import { builtInNames, runsWithoutAsking } from '../builtIn/builtInTools.js';
import type { PiSession } from '../pi/piModule.js';
import type { CallSubject } from '../policy/callSubject.js';
import { callApproval } from '../policy/rules/callApproval.js';
import type { ToolBridge } from '../tools/toolBridge.js';
import type { ToolIdentities } from '../tools/toolIdentities.js';
import type { McpCall } from '../transcript/transcript.js';
import { extensionOf } from './sessionTools.js';

/** What any call in a session would do, be it of a tool of Pi or of a server. */
export class SessionCalls {
  constructor(
    private readonly bridge: ToolBridge,
    private readonly identities: ToolIdentities,
    private readonly builtIns: BuiltInCalls,
    /** `undefined` while there is none. */
    private readonly session: () => PiSession | undefined,
  ) {}

  /** The model has the tool: a call of another one ends without being asked about. */
  isOffered(tool: string, args: unknown): boolean {
    return (
      this.session()?.getActiveToolNames().includes(tool) === true &&
      (builtInNames.includes(tool) ||
        this.extensionOf(tool) !== undefined ||
        this.bridge.resolve(tool, args) !== undefined)
    );
  }

  /** Which tool of a server a call means, and what the server gets. */
  atServer(tool: string, args: unknown): McpCall | undefined {
    const isOfServer = this.extensionOf(tool) === undefined;
    const found = isOfServer ? this.bridge.resolve(tool, args) : undefined;
    const isDirect = found?.name === tool && isJsonObject(args);
    return (
      found && {
        server: found.server,
        tool: found.tool,
        args: isDirect ? found.model.names.toServer(args) : undefined,
      }
    );
  }

  /** Who brings a tool along, in words of the user. */
  groupOf(tool: string): string {
    const extension = this.extensionOf(tool);
    if (extension !== undefined) {
      return l10n.t('Extension {0}', basename(extension));
    }
    const server = this.bridge.tools.get(tool)?.server;
    if (server !== undefined) {
      return server;
    }
    return builtInNames.includes(tool) ? l10n.t('Built in') : l10n.t('Search and gateway');
  }

  async describe(tool: string, args: unknown): Promise<CallSubject> {
    const extension = this.extensionOf(tool);
    if (extension !== undefined) {
      return { identity: { key: `extension:${extension}:${tool}`, claims: [] } };
    }
    const target = this.bridge.resolve(tool, args);
    if (target) {
      const identity = this.identities.identify(tool, args);
      const pin: CallSubject['pin'] = (callId, why) =>
        this.bridge.setTarget(callId, target, identity.key, {
          by: 'agent',
          name: this.conversation,
          approval: callApproval(why),
        });
      return { identity, pin };
    }
    if (builtInNames.includes(tool)) {
      return await this.builtIns.describe(tool, args);
    }
    const identity = { key: tool, claims: [] };
    return runsWithoutAsking(tool)
      ? { identity, pin: (callId) => this.bridge.clearTarget(callId) }
      : { identity, refusal: `There is no tool "${tool}" any more.` };
  }

  /** Name of its file. */
  private get conversation(): string | undefined {
    const file = this.session()?.sessionFile;
    return file === undefined ? undefined : basename(file, '.jsonl');
  }

  /** File of the extension of the user that the tool is from, if it is from one. */
  private extensionOf(tool: string): string | undefined {
    return extensionOf(this.session(), tool);
  }
}
