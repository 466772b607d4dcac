/** What the SDK, `fetch` and the traffic say, in the words of the domain. */
import {
  InsufficientScopeError,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SseError,
} from '@modelcontextprotocol/client';
import { expect, it } from 'vitest';
import { HumanError } from '../../../../../src/base/errors.js';
import {
  AuthorizationFailedError,
  fromEventStream,
  fromRemote,
  fromSdk,
} from '../../../../../src/mcp/connection/clientEngine/errors.js';
import {
  SessionLostError,
  StreamDroppedError,
} from '../../../../../src/mcp/connection/http/httpWatch.js';
import { isEngineError } from '../../../../../src/mcp/connection/session/engine.js';

const http = (status: number, message = 'no') =>
  new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, message, { status, statusText: 'no' });
const network = (code: string) =>
  new TypeError('fetch failed', { cause: Object.assign(new Error('no'), { code }) });

it.each([
  [http(404), { kind: 'http_status', httpStatus: 404 }],
  [http(308, 'Failed: Redirect to https://b/ not followed; use that'), { kind: 'redirected' }],
  [new InsufficientScopeError({ requiredScope: 'a' }), { kind: 'http_status', httpStatus: 403 }],
  [
    new ProtocolError(-32602, 'MCP error -32602: MCP error -32602: no', { a: 1 }),
    { kind: 'server_error', code: -32602, data: { a: 1 }, message: 'no' },
  ],
  [new ProtocolError(404, 'Request timed out'), { kind: 'server_error', httpStatus: undefined }],
  [new SdkError(SdkErrorCode.RequestTimeout, 'late'), { kind: 'request_timeout' }],
  [new SdkError(SdkErrorCode.ConnectionClosed, 'gone'), { kind: 'closed' }],
  [new SdkError(SdkErrorCode.NotConnected, 'gone'), { kind: 'closed' }],
])('takes %s of the SDK apart', (error, expected) => {
  for (const known of [fromSdk(error), fromRemote(error)]) {
    expect(isEngineError(known)).toBe(true);
    expect(known).toMatchObject(expected);
  }
});

it.each([
  [network('ECONNREFUSED'), { kind: 'unreachable', systemCode: 'ECONNREFUSED' }],
  [new TypeError('fetch failed'), { kind: 'unreachable', systemCode: undefined }],
  [network('DEPTH_ZERO_SELF_SIGNED_CERT'), { kind: 'certificate' }],
  [network('UND_ERR_BODY_TIMEOUT'), { kind: 'silent' }],
  [new SessionLostError(404), { kind: 'session_lost', httpStatus: 404 }],
  [new StreamDroppedError(false), { kind: 'stream_dropped' }],
  [new StreamDroppedError(true), { kind: 'stream_silent' }],
  [
    new Error('Error POSTing to endpoint (HTTP 502): bad gateway'),
    { kind: 'http_status', httpStatus: 502 },
  ],
])('knows %s of a remote server alone', (error, expected) => {
  expect(fromRemote(error)).toMatchObject(expected);
  expect(fromSdk(error)).toBe(error);
});

it('looks behind the probe for the version, which hides what the network said', () => {
  const error = new SdkError(SdkErrorCode.EraNegotiationFailed, 'failed', undefined, {
    cause: network('ECONNREFUSED'),
  });
  expect(fromRemote(error)).toMatchObject({ kind: 'unreachable', systemCode: 'ECONNREFUSED' });
});

it('hands on what is in words already, and what nobody knows', () => {
  const human = new HumanError('sign_in_failed', 'The sign-in failed.');
  expect(fromRemote(new AuthorizationFailedError('no', { cause: human }))).toBe(human);
  expect(fromRemote(human)).toBe(human);
  const odd = new Error('odd (HTTP 502)');
  expect(fromRemote(odd)).toBe(odd);
});

it('knows why an event stream could not be opened, of which its error has the words alone', () => {
  const bare = new SseError(undefined, 'TypeError: fetch failed', {} as never);
  expect(fromEventStream(bare, network('ECONNREFUSED'))).toMatchObject({ kind: 'unreachable' });
  expect(fromEventStream(bare, network('CERT_HAS_EXPIRED'))).toMatchObject({ kind: 'certificate' });
  expect(fromEventStream(bare, undefined)).toBe(bare);
  const refused = new SseError(404, 'Non-200 status code (404)', {} as never);
  expect(fromEventStream(refused, network('ECONNREFUSED'))).toMatchObject({ httpStatus: 404 });
});
