/** What the page of a tab wrote down, which a reload hands back. Whoever wrote it may have been anybody. */
import * as l10n from '@vscode/l10n';
import { asObject, asString, isJsonObject } from '../base/json.js';
import type { McpServerId } from '../config/definition.js';
import type { McpService } from '../mcp/mcpApi.js';
import type { FormTarget } from '../protocol/configProtocol.js';
import type { ServerTab } from '../protocol/server/serverProtocol.js';

export interface TabState {
  readonly conversation?: string | undefined;
  /** URI of its folder. */
  readonly folder?: string | undefined;
  /** Something was said in it. */
  readonly isBegun: boolean;
}

export function readTabState(saved: unknown): TabState {
  const { conversation, folder, isBegun } = asObject(saved);
  const isId = typeof conversation === 'string' && /^[\w.-]+\.jsonl$/.test(conversation);
  return {
    conversation: isId ? conversation : undefined,
    folder: asString(folder),
    isBegun: isBegun === true,
  };
}

/** Characters of an id, a name or a path. */
const maxLength = 4_000;

/** The page of a server, or of a recording of its traffic. */
export type ServerTabState =
  | {
      readonly kind: 'server';
      readonly id: McpServerId;
      readonly name: string;
      /** Default: as the page says itself. */
      readonly tab?: ServerTab | undefined;
      readonly tool?: string | undefined;
    }
  | { readonly kind: 'recording'; readonly path: string }
  /** What is logged of the calls of a server. */
  | { readonly kind: 'calls'; readonly id: McpServerId }
  | { readonly kind: 'form'; readonly target: FormTarget };

/** Also what the Inspector and the page that ran a tool wrote down before they were parts of it. */
export function readServerTab(saved: unknown): ServerTabState {
  const { server, name, tool, recording, calls, form } = subjectOf(saved);
  if (isJsonObject(form)) {
    const target = { poolId: text(form.poolId), isSettings: form.isSettings === true };
    return { kind: 'form', target };
  }
  const logged = text(calls);
  if (logged !== '') {
    return { kind: 'calls', id: logged };
  }
  const path = text(recording);
  if (path !== '') {
    return { kind: 'recording', path };
  }
  const known = { kind: 'server', id: text(server), name: text(name) } as const;
  const ranTool = text(tool);
  return ranTool === ''
    ? { ...known, tab: isOfInspector(saved) ? 'traffic' : undefined }
    : { ...known, tab: 'tools', tool: ranTool };
}

/** It alone had a filter beside its subject. */
function isOfInspector(saved: unknown): boolean {
  return isJsonObject(saved) && saved.query !== undefined;
}

export interface RunSubject {
  readonly serverId: McpServerId;
  readonly tool: string;
}

/** Why there is no server of that id, and what to do. */
export function missingServerText(service: Pick<McpService, 'getPool'>, id: McpServerId): string {
  const pool = id.slice(0, Math.max(0, id.lastIndexOf('#')));
  return pool === '' || service.getPool(pool)
    ? l10n.t('The MCP server does not exist any more.')
    : l10n.t(
        'The folder of this server is not open in this window. Open it, or choose another server.',
      );
}

function subjectOf(saved: unknown): Readonly<Record<string, unknown>> {
  return asObject(asObject(saved).subject);
}

function text(value: unknown): string {
  return typeof value === 'string' && value.length <= maxLength ? value : '';
}
