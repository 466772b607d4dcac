import * as l10n from '@vscode/l10n';
import { isJsonObject } from '../../base/json.js';
import type { McpScope, WorkspaceFolder } from '../../config/definition.js';
import { hashOf } from '../../config/launch/launchHash.js';
import { nameInWindow } from '../../config/nameInWindow.js';
import { isSkillTool } from '../../mcp/catalog/own/skillTool.js';
import { askingRule } from '../../mcp/catalog/toolGlob.js';
import { pinTool, type ToolPin } from '../../mcp/catalog/toolKey.js';
import type { McpToolAnnotations } from '../../mcp/mcpTypes.js';
import { definitionLines } from '../../mcp/trust/definitionLines.js';
import { changedText } from '../../mcp/trust/descriptionLines.js';
import {
  type AllowedTool,
  type AllowedToolKey,
  type ApprovalStore,
  toolRule,
} from '../policy/approvalStore.js';
import type { ToolIdentity } from '../policy/toolIdentity.js';
import type { BridgedTool } from './bridgedTool.js';
import { proxyToolName } from './proxyTool.js';
import type { ToolBridge } from './toolBridge.js';

export interface ToolIdentitiesOptions {
  readonly bridge: ToolBridge;
  readonly folderUri: string | undefined;
  /** Of the window. */
  readonly folders: () => readonly WorkspaceFolder[];
  readonly store: Pick<ApprovalStore, 'find' | 'allow'> | undefined;
  /** The user's setting `approveTools`. */
  readonly rule: () => unknown;
  /** A decision could not be saved. */
  readonly onError: (error: unknown) => void;
}

/** Says of a call which tool it means, what the user decided about it, and where it may be allowed always. */
export class ToolIdentities {
  constructor(private readonly options: ToolIdentitiesOptions) {}

  identify(name: string, args: unknown): ToolIdentity {
    const tool = this.options.bridge.resolve(name, args);
    return tool ? this.identifyTool(tool, args, name) : { key: name, claims: [] };
  }

  /** @param name what the call names: the tool, or the one through which it is called */
  identifyTool(tool: BridgedTool, args: unknown, name = tool.name): ToolIdentity {
    const { bridge, store } = this.options;
    const pin = pinTool(tool.source);
    const { annotations } = tool.source;
    const wrapped = name === proxyToolName && isJsonObject(args) ? args.args : args;
    const key = this.keyOf(tool);
    const allowed = store?.find(key);
    const change = allowed && this.changeSince(allowed, tool, pin);
    return {
      key: bridge.keyOf(tool),
      mcp: { server: this.nameOf(tool), tool: tool.tool },
      claims: claimsOf(annotations),
      isSaidToRead: annotations?.readOnlyHint === true && annotations.destructiveHint !== true,
      isReader: isSkillTool(tool.source) || undefined,
      args: tool.argumentsOf(wrapped),
      ...this.reasons(tool, allowed, change),
      change,
      allow: this.places(tool, key),
    };
  }

  private reasons(
    tool: BridgedTool,
    allowed: AllowedTool | undefined,
    change: string | undefined,
  ): Pick<ToolIdentity, 'allowedBy' | 'askedBy'> {
    if (isSkillTool(tool.source)) {
      // who has not seen the skill is shown all of it, and asked
      return { allowedBy: { kind: 'harmless' } };
    }
    if (allowed && change === undefined) {
      return { allowedBy: { kind: 'rule', rule: toolRule(allowed) } };
    }
    const asks = askingRule(this.options.rule(), tool);
    if (asks === undefined) {
      return { allowedBy: { kind: 'setting' } };
    }
    return asks === true ? {} : { askedBy: { kind: 'pattern', pattern: asks } };
  }

  /** A folder's server may be a different program in another folder: "everywhere" is for global ones. */
  private places(tool: BridgedTool, key: AllowedToolKey): ToolIdentity['allow'] {
    const { store, onError } = this.options;
    if (!store) {
      return {};
    }
    // as the user is asked about it: it may be started otherwise by the time of the answer
    const launch = this.launchOf(tool);
    const allow = (at: AllowedToolKey) => () => {
      void store.allow(at, pinTool(tool.source), launch).catch(onError);
      return toolRule({ ...at, allowedAt: new Date().toISOString() });
    };
    return {
      folder: key.folderUri === undefined ? undefined : allow(key),
      everywhere: key.scope === 'global' ? allow({ ...key, folderUri: undefined }) : undefined,
    };
  }

  private changeSince(allowed: AllowedTool, tool: BridgedTool, pin: ToolPin): string | undefined {
    const isSameLaunch = allowed.launch === this.launchOf(tool);
    if (isSameLaunch && allowed.pin.fingerprint === pin.fingerprint) {
      return undefined;
    }
    const changed = { before: allowed.pin.definition, definition: pin.definition };
    return [
      ...(isSameLaunch
        ? []
        : [l10n.t('The server is not started or reached in the way that was allowed.')]),
      ...definitionLines(changed).map(changedText),
    ].join('\n');
  }

  /** For the question alone: what is allowed is kept under the plain name. */
  private nameOf(tool: BridgedTool): string {
    const server = this.options.bridge.serverOf(tool);
    return server ? nameInWindow(server.definition, this.options.folders()) : tool.server;
  }

  private launchOf(tool: BridgedTool): string {
    const server = this.options.bridge.serverOf(tool);
    return server ? hashOf(server.definition) : '';
  }

  private keyOf(tool: BridgedTool): AllowedToolKey {
    const scope: McpScope = tool.scope;
    return { folderUri: this.options.folderUri, scope, server: tool.server, tool: tool.tool };
  }
}

function claimsOf(annotations: McpToolAnnotations | undefined): string[] {
  const claims: readonly (readonly [boolean | undefined, string])[] = [
    [annotations?.readOnlyHint, l10n.t('read-only')],
    [annotations?.destructiveHint, l10n.t('destructive')],
    [annotations?.idempotentHint, l10n.t('idempotent')],
    [annotations?.openWorldHint, l10n.t('reaches out to other systems')],
  ];
  return claims.flatMap(([isClaimed, text]) => (isClaimed ? [text] : []));
}
