import * as l10n from '@vscode/l10n';
import { defined, isJsonObject, type JsonObject, mapValues } from '../../../base/json.js';
import { rpcCode } from '../../../base/jsonRpc.js';
import { cutText, maxErrorLength, maxTitleLength } from './serverBounds.js';

export type RequestId = string | number;

/** Where a server of 2026-07-28 says who it is. */
const serverInfoKey = 'io.modelcontextprotocol/serverInfo';

/** A response that says in the server's place that a request failed. */
export function failedResponse(id: RequestId, sentence: string): JsonObject {
  return { jsonrpc: '2.0', id, error: { code: rpcCode.internalError, message: sentence } };
}

/** The response as JSON-RPC demands it. SDKs ignore malformed ones, and the request waits for its time-out. */
export function repairResponse(id: RequestId, message: JsonObject): JsonObject {
  if (isJsonObject(message.error)) {
    const { code, message: text, data } = message.error;
    return {
      jsonrpc: '2.0',
      id,
      error: defined({
        code: Number.isInteger(code) ? code : rpcCode.internalError,
        message: typeof text === 'string' ? cutText(text, maxErrorLength) : 'Internal error',
        data,
      }),
    };
  }
  return isJsonObject(message.result)
    ? { jsonrpc: '2.0', id, result: withShortIdentity(message.result) }
    : failedResponse(id, l10n.t('{0} is missing', '"result"'));
}

/** The SDK writes name and version as JSON again with every change that the server announces. */
function withShortIdentity(result: JsonObject): JsonObject {
  const { _meta: meta } = result;
  return {
    ...shortIn(result, 'serverInfo'),
    ...(isJsonObject(meta) ? { _meta: shortIn(meta, serverInfoKey) } : {}),
  };
}

function shortIn(holder: JsonObject, key: string): JsonObject {
  const info = holder[key];
  const short = (value: unknown) =>
    typeof value === 'string' ? cutText(value, maxTitleLength) : value;
  return isJsonObject(info) ? { ...holder, [key]: mapValues(info, short) } : holder;
}

/** @param what as the protocol calls it. */
export function notValid(method: string, what: string): string {
  return l10n.t('The answer of the server to "{0}" has no valid {1}.', method, what);
}

export function tooLargeText(maxBytes: number): string {
  return l10n.t('The server sent more than {0} MB at once.', Math.round(maxBytes / 1024 / 1024));
}
