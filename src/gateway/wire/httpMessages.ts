/** What comes over HTTP for a wire that may have to be loaded first. */
import { parseJson } from '../../base/json.js';
import { sendResponse, toWebRequest } from '../http/body.js';
import { type GuardedRequest, refuse } from '../http/httpDoor.js';
import { gatewayLimits } from '../http/limits.js';
import type { UnreadAnswers } from '../http/unread.js';
import type { EndpointWire } from './wireTypes.js';

/** @returns `undefined` for what was refused */
export function acceptMessage({
  response,
  method,
  body,
}: GuardedRequest): { readonly message: unknown } | undefined {
  const message = method === 'POST' ? parseJson(body.toString('utf8')) : undefined;
  if (method === 'POST' && message === undefined) {
    refuse(response, 400, 'The body is not JSON.');
    return undefined;
  }
  if (Array.isArray(message) && message.length > gatewayLimits.batch) {
    refuse(response, 400, 'The batch is too large.');
    return undefined;
  }
  return { message };
}

export async function passMessage(
  { request, response, gone }: GuardedRequest,
  message: unknown,
  wire: Pick<EndpointWire, 'handle'>,
  unread: UnreadAnswers,
): Promise<void> {
  const answered = await wire.handle(toWebRequest(request, gone), message);
  await sendResponse(answered, response, unread);
}
