import * as l10n from '@vscode/l10n';
import { isJsonObject, type JsonObject } from '../base/json.js';
import { parseStringifiedArguments } from '../mcp/catalog/toolArguments.js';
import { asksByRule } from '../mcp/catalog/toolGlob.js';
import { describeChange, pinTool } from '../mcp/catalog/toolPin.js';
import type { McpScope, McpToolAnnotations } from '../mcp/mcpTypes.js';
import type { AllowedToolKey, ApprovalStore } from './approvalStore.js';
import type { ToolIdentity } from './approvals.js';
import type { BridgedTool } from './bridgedTool.js';
import { proxyToolName } from './proxyTool.js';
import type { ToolBridge } from './toolBridge.js';

export interface ToolIdentitiesOptions {
  readonly bridge: ToolBridge;
  readonly folderUri: string | undefined;
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
    return tool ? this.identifyMcp(tool, name, args) : { key: name, claims: [] };
  }

  /** Of a call that names the tool itself. */
  identifyTool(tool: BridgedTool, args: JsonObject): ToolIdentity {
    return this.identifyMcp(tool, tool.name, args);
  }

  private identifyMcp(tool: BridgedTool, name: string, args: unknown): ToolIdentity {
    const { store, rule } = this.options;
    const pin = pinTool(tool.source);
    const wrapped = name === proxyToolName && isJsonObject(args) ? args.args : args;
    const key = this.keyOf(tool);
    const allowed = store?.find(key);
    const change = allowed && describeChange(allowed.pin, pin);
    return {
      key: `${tool.serverId}\0${tool.tool}\0${pin.fingerprint}`,
      mcp: { server: tool.server, tool: tool.tool },
      claims: claimsOf(tool.source.annotations),
      args: parseStringifiedArguments(tool.model.schema, wrapped),
      isAllowed: (allowed !== undefined && change === undefined) || !asksByRule(rule(), tool),
      ...(change !== undefined && { change }),
      allow: this.places(tool, key),
    };
  }

  /** A folder's server may be a different program in another folder: "everywhere" is for global ones. */
  private places(tool: BridgedTool, key: AllowedToolKey): ToolIdentity['allow'] {
    const { store, onError } = this.options;
    if (!store) {
      return {};
    }
    const allow = (at: AllowedToolKey) => () =>
      void store.allow(at, pinTool(tool.source)).catch(onError);
    return {
      ...(key.folderUri !== undefined && { folder: allow(key) }),
      ...(key.scope === 'global' && { everywhere: allow({ ...key, folderUri: undefined }) }),
    };
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
