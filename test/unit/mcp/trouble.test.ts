/** Every state and cause has a reason, a sentence and a fix that is performed by something that exists. */
import { describe, expect, it } from 'vitest';
import { coreErrors } from '../../../src/base/errorCodes.js';
import { commandIds } from '../../../src/contributions.js';
import type { McpServerFailure, McpServerState } from '../../../src/mcp/mcpTypes.js';
import { fixKinds } from '../../../src/mcp/trouble/fix.js';
import { stateText } from '../../../src/mcp/trouble/stateText.js';
import { failureTrouble } from '../../../src/mcp/trouble/trouble.js';
import { performFix } from '../../../src/presentation/fixes/performFix.js';
import { FakeServer, fakeDefinition, fakeFailure } from '../../helpers/fakes/fakeMcp.js';

/** A sentence of English. */
const sentence = /^[A-Z"].*[.!…]$/s;

const failureOf = (change: Partial<McpServerFailure>) => fakeFailure({ ...change });
const failed = (change: Partial<McpServerFailure>): McpServerState => ({
  kind: 'error',
  failure: failureOf(change),
});

/** The cause as the table of the specification has it, with the reason and the fix. */
const causes: readonly (readonly [string, McpServerState, string, string])[] = [
  ['disabled', { kind: 'disabled', by: 'server' }, 'Disabled', 'Enable'],
  ['all disabled', { kind: 'disabled', by: 'master' }, 'All disabled', 'Enable'],
  [
    'restricted',
    { kind: 'trust_required', reason: { kind: 'workspace_untrusted' } },
    'Restricted Mode',
    'Manage Workspace Trust',
  ],
  [
    'not consented',
    { kind: 'trust_required', reason: { kind: 'never_consented' } },
    'Needs trust',
    'Review…',
  ],
  [
    'changed',
    { kind: 'trust_required', reason: { kind: 'changed', consented: {} as never } },
    'Changed since trusted',
    'Review…',
  ],
  [
    'folder replaced',
    {
      kind: 'trust_required',
      reason: { kind: 'folder_replaced', before: undefined, now: undefined } as never,
    },
    'Folder was replaced',
    'Review…',
  ],
  ['downloading', { kind: 'connecting', note: 'fetching' }, 'Downloading package', 'Stop'],
  ['waiting', { kind: 'connecting', note: 'waiting' }, 'Waiting to download', 'Stop'],
  ['starting', { kind: 'connecting', note: 'starting' }, 'Starting', 'Stop'],
  ['listing', { kind: 'connecting', note: 'listing' }, 'Loading tools', 'Stop'],
  [
    'variable unset',
    failed({ code: 'variable_unset', facts: { variable: 'API_KEY' } }),
    'Missing API_KEY',
    'Set Value…',
  ],
  [
    'variable unknown',
    failed({ code: 'variable_unknown', facts: { variable: 'x:y', line: 7 } }),
    'Unknown variable x:y',
    'Open at Line 7',
  ],
  ['env file', failed({ code: 'env_file' }), 'Cannot read env file', 'Open Settings'],
  [
    'secret command',
    failed({ code: 'command_failed' }),
    'Secret command failed',
    'Run in Terminal',
  ],
  [
    'a command that the login shell finds',
    failed({ code: 'spawn_enoent', facts: { command: 'x', foundAt: '/opt/x' } }),
    'Command not found',
    'Use /opt/x',
  ],
  [
    'a runtime that is missing',
    failed({ code: 'spawn_enoent', facts: { command: 'uvx' } }),
    'Command not found',
    'Install uvx',
  ],
  [
    'another command that is missing',
    failed({ code: 'spawn_enoent', facts: { command: 'my-server' } }),
    'Command not found',
    'Edit Command',
  ],
  ['not executable', failed({ code: 'spawn_eacces' }), 'Cannot start', 'Open Settings'],
  ['cwd', failed({ code: 'spawn_cwd' }), 'Folder missing', 'Open Settings'],
  ['another start', failed({ code: 'spawn_emfile' }), 'Cannot start', 'Open Settings'],
  [
    'no answer',
    failed({ code: 'initialize_timeout', facts: { seconds: 30 } }),
    'No answer in 30 s',
    'Wait Longer',
  ],
  [
    'no package',
    failed({ code: 'initialize_timeout', facts: { seconds: 30, isInstall: true } }),
    'No answer in 30 s',
    'Run in Terminal',
  ],
  ['exited', failed({ code: 'exited', exitCode: 3 }), 'Exit code 3', 'Run in Terminal'],
  [
    'exited with words',
    failed({ stderrTail: ["Error: Cannot find module '/work/a.js' of the server there"] }),
    "Cannot find module '/work/a.js' of the…",
    'Run in Terminal',
  ],
  [
    'exited for a variable',
    failed({ stderrTail: ['[error] DATABASE_URL is required'] }),
    '[error] DATABASE_URL is required',
    'Set Value…',
  ],
  ['closed', failed({ code: 'closed' }), 'Connection lost', 'Restart'],
  ['handshake', failed({ code: 'bad_handshake' }), 'Not a valid MCP server', 'Show Traffic'],
  ['version', failed({ code: 'protocol_version' }), 'Not a valid MCP server', 'Show Traffic'],
  ['no ping', failed({ code: 'unresponsive' }), 'Not responding', 'Restart'],
  ['server error', failed({ code: 'server_error' }), 'Server reported error', 'Show Traffic'],
  ['unreachable', failed({ code: 'unreachable' }), 'Cannot connect', 'Try Again'],
  [
    'name not found',
    failed({ code: 'unreachable', facts: { systemCode: 'ENOTFOUND' } }),
    'Cannot connect',
    'Edit URL',
  ],
  ['certificate', failed({ code: 'certificate' }), 'Certificate not trusted', 'Show How to Fix'],
  [
    'redirect',
    failed({ code: 'redirected', facts: { url: 'https://b.example' } }),
    'Redirects to another site',
    'Use New URL…',
  ],
  ['HTTP 404', failed({ code: 'http_status', httpStatus: 404 }), 'HTTP 404', 'Edit URL'],
  ['HTTP 429', failed({ code: 'http_status', httpStatus: 429 }), 'HTTP 429', 'Try Again'],
  ['HTTP 500', failed({ code: 'http_status', httpStatus: 500 }), 'HTTP 500', 'Try Again'],
  [
    '401',
    { kind: 'needs_auth', failure: failureOf({ code: 'unauthorized' }) },
    'Sign in',
    'Sign In',
  ],
  [
    '401 without a way to sign in',
    {
      kind: 'needs_auth',
      failure: failureOf({ code: 'unauthorized', facts: { hasNoSignIn: true } }),
    },
    'Sign in',
    'Set Token…',
  ],
  ['401 with a token', failed({ code: 'token_refused' }), 'Token rejected', 'Set Token…'],
  ['403', failed({ code: 'account_refused' }), 'Access denied', 'Sign In'],
  [
    'sign-in server',
    failed({ code: 'account_unavailable' }),
    'Sign-in server unavailable',
    'Try Again',
  ],
  ['sign-in left', failed({ code: 'sign_in_timeout' }), 'Sign-in not completed', 'Sign In'],
  [
    'port',
    failed({ code: 'callback_port', facts: { port: '8080' } }),
    'Port 8080 in use',
    'Open Settings',
  ],
  ['oauth', failed({ code: 'oauth_settings' }), 'Invalid OAuth settings', 'Open Settings'],
  ['unsafe sign-in', failed({ code: 'foreign_issuer' }), 'Unsafe sign-in blocked', 'Copy Report'],
  ['another', failed({ code: 'failed' }), 'Failed', 'Show Log'],
];

describe('what is wrong with a server', () => {
  it.each(causes)('is said of: %s', (_cause, state, reason, fix) => {
    const said = stateText(state);
    expect([said.reason, said.fix?.title]).toEqual([reason, fix]);
    expect(said.sentence).toMatch(sentence);
  });

  it('has at most six words for every code there is', () => {
    for (const code of Object.keys(coreErrors) as (keyof typeof coreErrors)[]) {
      const { reason, fix } = failureTrouble(failureOf({ code }));
      expect(reason.split(/\s+/).length, code).toBeLessThanOrEqual(6);
      expect(fixKinds, code).toContain(fix.kind);
    }
  });

  it('is fixed by something that exists, whatever it is', async () => {
    for (const [cause, state] of causes) {
      const done: unknown[] = [];
      const note = async (what: unknown) => {
        done.push(what);
      };
      const answer = async () => 'value';
      await performFix(new FakeServer(fakeDefinition('a'), state), {
        service: {
          configuration: {
            read: async () => ({ name: 'a', path: '/a', entry: { command: 'a' } }),
            updateServer: note,
            setMasterDisabled: note,
          },
        } as never,
        inputs: { set: async () => {} },
        window: {
          run: note,
          openTerminal: note,
          openUrl: note,
          openFolder: () => note('folder'),
          askUrl: answer,
          askValue: answer,
        },
      });
      expect(done, cause).not.toEqual([]);
      for (const one of done) {
        if (typeof one === 'string' && one.startsWith('piMcp.')) {
          expect(Object.values(commandIds), cause).toContain(one);
        }
      }
    }
  });

  it('has the evidence line by line, without the signal that we sent', () => {
    const end = { ran: 'node a.js', stderrTail: ['x', ''], exitCode: 2, signal: 'SIGTERM' };
    expect(failureTrouble(failureOf(end)).evidence).toEqual([
      '$ node a.js',
      'x',
      'Exit code 2',
      'Signal SIGTERM',
    ]);
    const late = failureOf({ ...end, code: 'initialize_timeout' });
    expect(failureTrouble(late).evidence).toEqual(['$ node a.js', 'x', 'Exit code 2']);
  });
});
