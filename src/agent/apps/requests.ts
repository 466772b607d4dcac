/** JSON-RPC as apps speak it: checks of what comes in, and its errors. */
import { isDeeperThan, isJsonObject, type JsonObject } from '../../base/json.js';
import { rpcCode } from '../../base/jsonRpc.js';
import { readTexts } from '../transcript/content.js';

/** Characters of one message of an app. */
const maxAppMessage = 1024 * 1024;
const maxDepth = 100;
const maxIdLength = 200;

/** Its code and message are sent to the app. */
export class AppError extends Error {
  override readonly name = 'AppError';

  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

export interface AppMessage {
  /** Absent for notifications. */
  readonly id?: string | number;
  readonly method: string;
  readonly params: JsonObject;
}

/** `undefined` for anything but a request or a notification, so for replies too. */
export function parseAppMessage(value: unknown): AppMessage | undefined {
  if (!isJsonObject(value) || value.jsonrpc !== '2.0' || typeof value.method !== 'string') {
    return undefined;
  }
  const { id, method, params = {} } = value;
  const isId =
    id === undefined ||
    typeof id === 'number' ||
    (typeof id === 'string' && id.length <= maxIdLength);
  return isId && isJsonObject(params) ? { method: method.slice(0, 200), params, id } : undefined;
}

/** Whether a message is short and flat enough to be read. */
export function isBoundedMessage(value: unknown): boolean {
  if (isDeeperThan(value, maxDepth)) {
    return false;
  }
  try {
    return JSON.stringify(value).length <= maxAppMessage;
  } catch {
    // pages can send what is no JSON, such as a cycle
    return false;
  }
}

/** @throws {AppError} when it is no string. */
export function textParam(params: JsonObject, name: string, maxLength: number): string {
  const value = params[name];
  if (typeof value !== 'string' || value.length > maxLength) {
    throw new AppError(rpcCode.invalidParams, `"${name}" must be a short string`);
  }
  return value;
}

/** The text of what an app wants to say. @throws {AppError} when there is none. */
export function messageText(params: JsonObject, maxLength: number): string {
  const text = readTexts([params.content].flat()).join('\n').trim();
  if (text === '' || text.length > maxLength || (params.role ?? 'user') !== 'user') {
    throw new AppError(rpcCode.invalidParams, 'Only a text of the user can be suggested');
  }
  return text;
}
