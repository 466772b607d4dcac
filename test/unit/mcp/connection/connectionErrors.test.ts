import { expect, it } from 'vitest';
import { maskSecrets } from '../../../../src/config/secrets/redact.js';
import { ConnectTimeoutError } from '../../../../src/mcp/connection/connectDeadline.js';
import {
  classifyFailure,
  executableNotFound,
  UnresponsiveError,
} from '../../../../src/mcp/connection/connectionErrors.js';
import {
  SessionLostError,
  StreamDroppedError,
} from '../../../../src/mcp/connection/http/httpWatch.js';

const url = 'https://user:pw@example.com/mcp?token=abc';

function withCode(code: unknown, message = 'failed', cause?: unknown): Error {
  return Object.assign(new Error(message, { cause }), { code });
}

it.each([
  [new ConnectTimeoutError(30_000), 'initialize_timeout'],
  [new UnresponsiveError(10_000), 'unresponsive'],
  [new SessionLostError(404), 'session_lost'],
  [new StreamDroppedError(false), 'stream_dropped'],
  [new TypeError('fetch failed', { cause: withCode('ECONNREFUSED') }), 'unreachable'],
  [
    new TypeError('fetch failed', { cause: withCode('DEPTH_ZERO_SELF_SIGNED_CERT') }),
    'certificate',
  ],
  [withCode(401), 'unauthorized'],
  [withCode(403), 'forbidden'],
  [withCode(500), 'http_status'],
  [withCode(307, 'Redirect to https://other/ not followed'), 'redirected'],
  [new Error('Error POSTing to endpoint (HTTP 502): bad gateway'), 'http_status'],
  [withCode(-32001, 'MCP error -32001: Request timed out'), 'request_timeout'],
  [withCode(-32000, 'MCP error -32000: Connection closed'), 'closed'],
  [withCode(-32603, 'MCP error -32603: no disk'), 'server_error'],
  [new Error('odd'), 'failed'],
  ['not even an error', 'failed'],
])('classifies %s as %s', (error, code) => {
  const failure = classifyFailure(error, { secrets: [], url });
  expect(failure.code).toBe(code);
  for (const sentence of [failure.message, failure.remedy]) {
    expect(sentence).toMatch(/^[A-Z].*[^.]\.$|: .+$/s);
    expect(sentence).not.toMatch(/pw|abc/);
  }
});

it('prefers how the process ended to what the protocol noticed of it', () => {
  const failure = classifyFailure(withCode(-32000, 'MCP error -32000: Connection closed'), {
    secrets: ['hunter2'],
    command: 'server',
    exit: { exitCode: 1, signal: undefined },
    end: 'exited',
    stderrTail: ['password hunter2 refused'],
  });
  expect(failure).toEqual({
    code: 'exited',
    message: 'The server exited with code 1.',
    remedy: expect.any(String),
    exitCode: 1,
    stderrTail: ['password ***REDACTED*** refused'],
  });
});

it('masks longer secrets first and encoded forms too', () => {
  expect(maskSecrets('a=abcd/efg b=abcd c=abcd%2Fefg d=x', ['abcd', 'abcd/efg', 'x', ''])).toBe(
    'a=***REDACTED*** b=***REDACTED*** c=***REDACTED*** d=x',
  );
});

it('says which PATH was searched, where a login shell finds the command, and what was run', () => {
  const searched = ['/usr/bin', '/bin'];
  const context = { secrets: ['s3cret'], commandLine: 'tool --key s3cret' };
  const missing = { command: 'tool', searched, inLoginShell: undefined };
  expect(executableNotFound(missing, context)).toMatchObject({
    remedy:
      'Install it, or write the full path of the executable in "command". Searched: /usr/bin, /bin.',
    ran: 'tool --key ***REDACTED***',
  });
  const elsewhere = { ...missing, inLoginShell: '/opt/tool' };
  expect(executableNotFound(elsewhere, context).remedy).toContain('finds it at "/opt/tool"');
});

it('masks secrets that stand escaped in JSON', () => {
  const secret = 'a"b\\c';
  expect(maskSecrets(JSON.stringify({ secret }), [secret])).toBe('{"secret":"***REDACTED***"}');
});
