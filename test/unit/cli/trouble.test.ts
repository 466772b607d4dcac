/** For each way to fail: call, row, tooltip, page, list and command line say the same, word for word. */
import { describe, expect, it } from 'vitest';
import { errorDocument, exitError } from '../../../src/cli/connect.js';
import { serverLines } from '../../../src/cli/list.js';
import { maskText } from '../../../src/config/secrets/secretMask.js';
import {
  classifyFailure,
  executableForbidden,
  executableNotFound,
  folderMissing,
} from '../../../src/mcp/connection/connectionErrors.js';
import { ConnectionFailedError } from '../../../src/mcp/connection/connectionFailure.js';
import { EngineError, type EngineErrorKind } from '../../../src/mcp/connection/session/engine.js';
import type { McpServerFailure, McpServerState } from '../../../src/mcp/mcpTypes.js';
import {
  duringPause,
  troubleLines,
  troubleOf,
  troubleText,
} from '../../../src/mcp/trouble/trouble.js';
import { configViewState } from '../../../src/presentation/configPage/viewState.js';
import { serverPageView } from '../../../src/presentation/server/serverPageView.js';
import { childNodes, presentNode, serverNode } from '../../../src/presentation/tree/nodes.js';
import { serverTooltip } from '../../../src/presentation/tree/tooltips/serverTooltip.js';
import { FakeServer, FakeService, fakeDefinition, fakePool } from '../../helpers/fakes/fakeMcp.js';

const context = { mask: maskText, command: 'tool', url: 'https://example.com/mcp' };

/** Every kind there is: a new one has to be added for this to compile. */
const engineErrors: Readonly<Record<EngineErrorKind, EngineError>> = {
  server_error: new EngineError('server_error', 'no disk', { code: -32603 }),
  request_timeout: new EngineError('request_timeout', 'timed out'),
  closed: new EngineError('closed', 'closed'),
  protocol_version: new EngineError('protocol_version', '1 is not supported'),
  ended_by_probe: new EngineError('ended_by_probe', 'ended'),
  not_spawned: new EngineError('not_spawned', 'spawn E2BIG', { systemCode: 'E2BIG' }),
  http_status: new EngineError('http_status', 'no', { httpStatus: 500 }),
  redirected: new EngineError('redirected', 'Redirect not followed', { httpStatus: 307 }),
  session_lost: new EngineError('session_lost', 'HTTP 404', { httpStatus: 404 }),
  session_refused: new EngineError('session_refused', 'HTTP 404', { httpStatus: 404 }),
  stream_dropped: new EngineError('stream_dropped', 'ended'),
  stream_silent: new EngineError('stream_silent', 'ended'),
  silent: new EngineError('silent', 'no'),
  unreachable: new EngineError('unreachable', 'no', { systemCode: 'ECONNREFUSED' }),
  not_http: new EngineError('not_http', 'Parse Error'),
  not_mcp: new EngineError('not_mcp', 'it sends a web page'),
  certificate: new EngineError('certificate', 'no', { systemCode: 'CERT_HAS_EXPIRED' }),
};

const output = ['starting', "Error: Cannot find module '/work/server.js'", 'Node.js v24.0.0'];

const failures: readonly (readonly [string, McpServerFailure])[] = [
  ...Object.entries(engineErrors).map(
    ([kind, error]) => [kind, classifyFailure(error, context)] as const,
  ),
  ['an unknown error', classifyFailure(new Error('odd'), context)],
  [
    'a process that ended with words',
    classifyFailure(engineErrors.closed, {
      ...context,
      exit: { exitCode: 1, signal: undefined },
      end: 'exited',
      stderrTail: output,
    }),
  ],
  [
    'a command that is not found',
    executableNotFound(
      { command: 'tool', searched: ['/usr/bin'], inLoginShell: undefined },
      context,
    ),
  ],
  ['a file that may not run', executableForbidden('/work/tool', context)],
  ['a folder that is missing', folderMissing('/work/none', context)],
  [
    'a refused token',
    classifyFailure(new EngineError('http_status', 'no', { httpStatus: 401 }), {
      ...context,
      maySignIn: false,
    }),
  ],
  [
    'a refusal',
    classifyFailure(new EngineError('http_status', 'no', { httpStatus: 403 }), context),
  ],
];

const states: readonly (readonly [string, McpServerState])[] = [
  ...failures.map(([label, failure]) => [label, { kind: 'error', failure }] as const),
  ['a retry', { kind: 'error', failure: failures[0]?.[1] as McpServerFailure, nextRetryAt: 1 }],
  ['a switch', { kind: 'disabled', by: 'server' }],
  ['the master switch', { kind: 'disabled', by: 'master' }],
  [
    'an invalid entry',
    {
      kind: 'invalid',
      problems: [
        { code: 'empty-command', severity: 'error', message: 'It is empty.', remedy: 'Fill it.' },
      ],
    },
  ],
  ['Restricted Mode', { kind: 'trust_required', reason: { kind: 'workspace_untrusted' } }],
];

/** Where the words of a state can be read. */
function surfaces(state: McpServerState) {
  const server = new FakeServer(fakeDefinition('one'), state);
  const facts = { isWorkspaceTrusted: true, folderTrust: () => ({ kind: 'none' }) as const };
  const node = serverNode(server);
  const { description = '' } = presentNode(node, facts);
  const tooltip = serverTooltip(server);
  const service = new FakeService([fakePool([server])]);
  const configuration = { location: () => ({ path: '/home/.mcp.json', layer: 'user' }) };
  const [card] =
    configViewState({ ...service, configuration, pools: service.pools, trust: facts } as never)
      .pools[0]?.servers ?? [];
  const { reason, message, remedy, nextTry } = errorDocument(state) ?? {};
  return {
    description,
    tooltip: tooltip.flatMap((part) => (part.kind === 'paragraph' ? [part.text] : [])),
    details: childNodes(node),
    banner: serverPageView(
      new FakeService([fakePool([server])]),
      { id: server.id, name: 'one' },
      facts,
    ).banner,
    page: [card?.reason, card?.fix],
    console: [reason, message, remedy, nextTry],
    list: serverLines(server).join('\n'),
  };
}

describe('what is said of a server that cannot be used', () => {
  it.each(states)('is the same everywhere for %s', (_label, state) => {
    const trouble = troubleOf(state);
    expect(trouble?.sentence).toBeTruthy();
    const lines = trouble ? troubleLines(trouble) : [];
    const said = surfaces(state);
    const all = [trouble?.reason, trouble?.sentence, trouble?.fix.how, trouble?.nextTry];
    expect(said.tooltip[0]).toBe(trouble && troubleText(trouble));
    const more = [trouble?.fix.how, trouble?.nextTry].filter((text) => text !== undefined);
    expect(said.banner).toMatchObject({ sentence: trouble?.sentence, more });
    expect(said.page).toEqual([trouble?.reason, trouble?.fix.title]);
    for (const line of lines) {
      expect(said.list).toContain(line);
    }
    if (state.kind === 'error') {
      expect(said.console).toEqual(all);
      expect(said.details).toEqual([]);
      expect(said.description).toBe(trouble?.reason);
    }
  });

  it.each(failures)('is what a call is told for %s', (_label, failure) => {
    const error = new ConnectionFailedError(failure);
    const trouble = troubleOf({ kind: 'error', failure });
    expect(error.message).toContain(trouble?.sentence);
    expect(error.remedy).toBe(trouble?.fix.how);
    // while calls wait, when the next one may try comes behind the same words
    const paused = new ConnectionFailedError(duringPause(failure, 5000));
    expect(paused.message).toBe(error.message);
    expect(paused.remedy).toBe(
      `${trouble?.fix.how} Its last start failed a moment ago: calls try again in 5 s, "Restart" at once.`,
    );
  });

  it('puts the line of the output first that says why', () => {
    const failure = failures.find(([label]) => label.startsWith('a process'))?.[1];
    expect(failure && new ConnectionFailedError(failure).message).toBe(
      "Cannot find module '/work/server.js'. The server exited with code 1.",
    );
  });

  it('names on the command line what is done there', () => {
    const failure = classifyFailure(
      new EngineError('http_status', 'no', { httpStatus: 401 }),
      context,
    );
    expect(exitError({ kind: 'needs_auth', failure })?.fix.how).toBe(
      'Sign in with "pi-mcp login SERVER".',
    );
    const waiting = { kind: 'trust_required', reason: { kind: 'never_consented' } } as const;
    expect(exitError(waiting)?.fix.how).toContain('pi-mcp trust');
    expect(troubleOf(waiting)?.fix.how).toBe('Review and trust it first.');
  });
});
