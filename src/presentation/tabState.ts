/** What the page of a tab wrote down, which a reload hands back. Whoever wrote it may have been anybody. */
import * as l10n from '@vscode/l10n';
import { isJsonObject } from '../base/json.js';
import type { McpServerId } from '../config/definition.js';
import type { McpService } from '../mcp/mcpApi.js';

export interface TabState {
  readonly conversation?: string | undefined;
  /** URI of its folder. */
  readonly folder?: string | undefined;
  /** Something was said in it. */
  readonly isBegun: boolean;
}

export function readTabState(saved: unknown): TabState {
  const { conversation, folder, isBegun } = isJsonObject(saved) ? saved : {};
  const isId = typeof conversation === 'string' && /^[\w.-]+\.jsonl$/.test(conversation);
  return {
    conversation: isId ? conversation : undefined,
    folder: typeof folder === 'string' ? folder : undefined,
    isBegun: isBegun === true,
  };
}

/** Characters of an id, a name or a path. */
const maxLength = 4_000;

/** The server or the recording of an Inspector. */
export type InspectedSubject =
  | { readonly kind: 'server'; readonly id: McpServerId; readonly name: string }
  | { readonly kind: 'recording'; readonly path: string };

export function readInspected(saved: unknown): InspectedSubject {
  const subject = subjectOf(saved);
  const path = text(subject.recording);
  return path === ''
    ? { kind: 'server', id: text(subject.server), name: text(subject.name) }
    : { kind: 'recording', path };
}

export interface RunSubject {
  readonly serverId: McpServerId;
  readonly tool: string;
}

export function readRun(saved: unknown): RunSubject {
  const { server, tool } = subjectOf(saved);
  return { serverId: text(server), tool: text(tool) };
}

/** Why there is no server of that id, and what to do. */
export function missingServerText(service: Pick<McpService, 'getPool'>, id: McpServerId): string {
  const pool = id.slice(0, Math.max(0, id.lastIndexOf('#')));
  return pool === '' || service.getPool(pool)
    ? l10n.t('The server is not configured any more. Choose another one.')
    : l10n.t(
        'The folder of this server is not open in this window. Open it, or choose another server.',
      );
}

function subjectOf(saved: unknown): Readonly<Record<string, unknown>> {
  const { subject } = isJsonObject(saved) ? saved : {};
  return isJsonObject(subject) ? subject : {};
}

function text(value: unknown): string {
  return typeof value === 'string' && value.length <= maxLength ? value : '';
}
