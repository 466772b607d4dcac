import { expect, it } from 'vitest';
import { createMask, maskText } from '../../../../src/config/secrets/secretMask.js';
import {
  classifyFailure,
  executableNotFound,
} from '../../../../src/mcp/connection/connectionErrors.js';
import { unresponsive } from '../../../../src/mcp/connection/connectionFailure.js';
import { EngineError, serverError } from '../../../../src/mcp/connection/session/engine.js';

const url = 'https://user:pw@example.com/mcp?token=abc';

const redirect = 'Redirect to https://other/ not followed';

it.each([
  [unresponsive(10_000), 'unresponsive'],
  [new EngineError('session_lost', 'HTTP 404', { httpStatus: 404 }), 'session_lost'],
  [new EngineError('session_refused', 'HTTP 404', { httpStatus: 404 }), 'session_lost'],
  [new EngineError('stream_dropped', 'ended'), 'stream_dropped'],
  [new EngineError('stream_silent', 'ended'), 'stream_silent'],
  [new EngineError('unreachable', 'fetch failed', { systemCode: 'ECONNREFUSED' }), 'unreachable'],
  [new EngineError('unreachable', 'fetch failed'), 'unreachable'],
  [new EngineError('certificate', 'no', { systemCode: 'CERT_HAS_EXPIRED' }), 'certificate'],
  [new EngineError('silent', 'no'), 'request_timeout'],
  [new EngineError('http_status', 'no', { httpStatus: 401 }), 'unauthorized'],
  [new EngineError('http_status', 'no', { httpStatus: 403 }), 'forbidden'],
  [new EngineError('http_status', 'no', { httpStatus: 500 }), 'http_status'],
  [new EngineError('redirected', redirect, { httpStatus: 307 }), 'redirected'],
  [new EngineError('request_timeout', 'Request timed out'), 'request_timeout'],
  [new EngineError('closed', 'Connection closed'), 'closed'],
  [new EngineError('ended_by_probe', 'ended'), 'closed'],
  [new EngineError('protocol_version', 'It is not supported: 1'), 'protocol_version'],
  [new EngineError('not_spawned', 'spawn E2BIG', { systemCode: 'E2BIG' }), 'spawn_e2big'],
  [serverError(-32603, 'no disk'), 'server_error'],
  // a server may answer with any code and any words
  [serverError(401, 'Request timed out (HTTP 502)'), 'server_error'],
  [Object.assign(new Error('odd'), { code: 401 }), 'failed'],
  ['not even an error', 'failed'],
])('classifies %s as %s', (error, code) => {
  const failure = classifyFailure(error, { mask: maskText, url });
  expect(failure.code).toBe(code);
  for (const sentence of [failure.message, failure.remedy]) {
    expect(sentence).toMatch(/^(?:[A-Z]|https:).*[^.]\.$|: .+$/s);
    expect(sentence).not.toMatch(/pw|abc/);
  }
});

it.each([400, 404, 500])('says that the server answered with HTTP %i', (httpStatus) => {
  const error = new EngineError('http_status', 'no', { httpStatus });
  expect(classifyFailure(error, { mask: maskText, url })).toMatchObject({
    message: `The server answered with HTTP ${httpStatus}.`,
    httpStatus,
  });
});

it('prefers how the process ended to what the protocol noticed of it', () => {
  const failure = classifyFailure(new EngineError('closed', 'Connection closed'), {
    mask: createMask(['hunter2']),
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

it('says which PATH was searched, where a login shell finds the command, and what was run', () => {
  const searched = ['/usr/bin', '/bin'];
  const context = { mask: createMask(['s3cret']), commandLine: 'tool --key s3cret' };
  const missing = { command: 'tool', searched, inLoginShell: undefined };
  expect(executableNotFound(missing, context)).toMatchObject({
    remedy: 'Install it, or write its full path in "command". Searched: /usr/bin, /bin.',
    ran: 'tool --key ***REDACTED***',
  });
  expect(executableNotFound({ ...missing, command: 'tool -v' }, context).remedy).toContain(
    'Write the program alone into "command"',
  );
  const elsewhere = { ...missing, inLoginShell: '/opt/tool' };
  expect(executableNotFound(elsewhere, context).remedy).toContain('It was found at /opt/tool;');
});
