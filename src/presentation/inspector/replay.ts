/** Which recorded requests may be sent again, and as what. */
import * as l10n from '@vscode/l10n';
import { asObject, type JsonObject, parseJsonObject } from '../../base/json.js';
import { redactedSentinel } from '../../config/secrets/sentinel.js';
import { type CallCounter, countCall } from '../../mcp/catalog/records/toolStatistics.js';
import type { McpServer } from '../../mcp/mcpApi.js';
import type { FrameRecord } from '../../mcp/trafficTypes.js';

/** They change nothing by themselves, or the user is asked before; everything else has its own place in a protocol. */
export const replayable: readonly string[] = [
  'tools/call',
  'tools/list',
  'prompts/get',
  'prompts/list',
  'resources/read',
  'resources/list',
  'resources/templates/list',
  'tasks/list',
  'ping',
];

export type Replay =
  | { readonly kind: 'send'; readonly method: string; readonly params: JsonObject }
  | { readonly kind: 'refused'; readonly reason: string };

/** @param frame the request itself, as it is recorded */
export function replayOf(frame: FrameRecord, server: McpServer): Replay {
  const { method = '' } = frame.facts;
  const message = frame.isCut ? undefined : parseJsonObject(frame.text);
  if (frame.dir !== 'sent' || !replayable.includes(method)) {
    return refused(l10n.t('Requests of this kind are not sent again.'));
  }
  if (!message) {
    return refused(l10n.t('The request is too large to be sent again.'));
  }
  if (frame.text.includes(redactedSentinel)) {
    return refused(
      l10n.t('The recording hides a secret of this request, so it cannot be sent again.'),
    );
  }
  const params = asObject(message.params);
  const { tools } = server.catalog.value;
  if (method === 'tools/call' && !tools.some(({ name }) => name === params.name)) {
    return refused(l10n.t('The server does not offer this tool any more.'));
  }
  return { kind: 'send', method, params: withoutTraces(params) };
}

/** As it was recorded; a call counts like any other. */
export async function sendAgain(
  server: Pick<McpServer, 'definition' | 'direct' | 'callTool'>,
  { method, params }: Pick<Extract<Replay, { kind: 'send' }>, 'method' | 'params'>,
  statistics: CallCounter,
): Promise<void> {
  if (method !== 'tools/call') {
    await (method === 'ping' ? server.direct.ping() : server.direct.send(method, params));
    return;
  }
  const called = { server: server.definition.name, tool: String(params.name) };
  const call = server.callTool(called.tool, Object(params.arguments ?? {}), {
    maker: { by: 'replay' },
  });
  await countCall(statistics, called, call, (result) => result);
}

/** The connection says anew what belongs to a single request. */
function withoutTraces(params: JsonObject): JsonObject {
  const { _meta, task: _task, inputResponses: _responses, requestState: _state, ...own } = params;
  const meta = Object.entries(asObject(_meta)).filter(
    ([key]) => key !== 'progressToken' && !key.startsWith('io.modelcontextprotocol/'),
  );
  return meta.length > 0 ? { ...own, _meta: Object.fromEntries(meta) } : own;
}

function refused(reason: string): Replay {
  return { kind: 'refused', reason };
}
