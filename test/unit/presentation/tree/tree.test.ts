import { describe, expect, it } from 'vitest';
import type { McpServerLaunch } from '../../../../src/config/definition.js';
import { itemFlags } from '../../../../src/contributions.js';
import type { FolderTrust, McpService, ServerAccount } from '../../../../src/mcp/mcpApi.js';
import type { McpServerState } from '../../../../src/mcp/mcpTypes.js';
import { serverPageView } from '../../../../src/presentation/server/serverPageView.js';
import {
  childNodes,
  nodeId,
  parentNode,
  presentNode,
  rootNodes,
  serverNode,
  type TreeNode,
} from '../../../../src/presentation/tree/nodes.js';
import {
  entryTooltip,
  launchText,
  serverTooltip,
} from '../../../../src/presentation/tree/tooltips/serverTooltip.js';
import { httpLaunch } from '../../../fixtures/connections.js';
import {
  FakeServer,
  FakeService,
  fakeDefinition,
  fakeFailure,
  fakeFolder,
  fakePool,
} from '../../../helpers/fakes/fakeMcp.js';

const context = { isWorkspaceTrusted: true, folderTrust: (): FolderTrust => ({ kind: 'none' }) };
const folder = fakeFolder('api');
const none: ServerAccount = { hasTokens: false, hasClient: false, name: undefined, names: [] };
const connected: McpServerState = {
  kind: 'connected',
  transport: 'stdio',
  since: 0,
  connectMs: 850,
  pid: 7,
};

function service(...pools: ReturnType<typeof fakePool>[]): McpService {
  return new FakeService(pools) as unknown as McpService;
}

/** The tree as nested `label (description)` lines. */
function outline(node: TreeNode): unknown {
  const { label, description } = presentNode(node, context);
  const line = description ? `${label} (${description})` : label;
  const children = childNodes(node).map(outline);
  return children.length > 0 ? [line, children] : line;
}

describe('tree', () => {
  it('shows the global pool and each folder with servers, tools, resources and prompts', () => {
    const docs = new FakeServer(fakeDefinition('docs'), { kind: 'idle' });
    const files = new FakeServer(fakeDefinition('files', { folder }), connected, {
      tools: [
        {
          name: 'read',
          description: 'Reads a file.\nSecond line.',
          inputSchema: {},
          annotations: { readOnlyHint: true },
        },
      ],
      resources: [{ uri: 'file:///a', name: 'a' }],
      resourceTemplates: [{ uriTemplate: 'file:///{path}', name: 'any' }],
      prompts: [{ name: 'review', arguments: [] }],
      skills: [
        { uri: 's:', name: 'forms', description: 'Fills in forms.', frontmatter: {}, files: [] },
      ],
    });
    const roots = rootNodes(service(fakePool([docs]), fakePool([files], { folder })));
    expect(roots.map(outline)).toEqual([
      ['User (1 server)', ['docs (Not running)']],
      [
        'api (1 server)',
        [
          [
            'files (1 tool)',
            [
              ['Tools (1)', ['read (Reads a file.)']],
              ['Resources (2)', ['a (file:///a)', 'any (file:///{path})']],
              ['Prompts (1)', ['review']],
              ['Skills (1)', ['forms (Fills in forms.)']],
            ],
          ],
        ],
      ],
    ]);
  });

  it('says what a server that connects waits for, and since when, in the row and to screen readers', () => {
    const present = (state: McpServerState, now?: number) =>
      presentNode(serverNode(new FakeServer(fakeDefinition('one'), state)), { ...context, now });
    const starting = { kind: 'connecting', note: 'starting', since: 1000 } as const;
    expect(present({ kind: 'connecting' }, 60_000).description).toBe('Starting');
    expect(present(starting, 5999).description).toBe('Starting');
    const waiting = present(starting, 13_999);
    expect(waiting.description).toBe('Starting, 10 s');
    expect(waiting.spoken).toContain('Starting, 10 s');
    const server = new FakeServer(fakeDefinition('one'), starting);
    expect(serverTooltip(server)[0]).toEqual({ kind: 'paragraph', text: 'Starting…' });
    const listing = { kind: 'connecting', note: 'listing', since: 1000 } as const;
    expect(present(listing, 6000).description).toBe('Loading tools, 5 s');
    expect(present(starting).description).toBe('Starting');
  });

  it('says that a server announces changes without end', () => {
    const state: McpServerState = {
      ...connected,
      slowLists: { lists: ['tools', 'prompts'], pauseMs: 40_000 },
    };
    const server = new FakeServer(fakeDefinition('one'), state);
    const { description, spoken } = presentNode(serverNode(server), context);
    expect(description).toBe('Connected · lists read rarely');
    expect(spoken).toContain('lists read rarely');
    expect(serverTooltip(server)[0]).toEqual({
      kind: 'paragraph',
      text: 'The server is connected. Too many change notifications; refreshing tools, prompts every 40 s.',
    });
  });

  it('says why a server failed in its row, and nothing below it', () => {
    const failure = fakeFailure({ exitCode: 1, stderrTail: ['first', '', 'fatal: no database'] });
    const server = new FakeServer(fakeDefinition('bad'), { kind: 'error', failure });
    expect(outline(serverNode(server))).toBe('bad (fatal: no database)');
  });

  it('tells at length what a failed server ran, said last, how it ended and when it is tried again', () => {
    const nextRetryAt = new Date(2026, 0, 1, 10, 42, 31).getTime();
    const failure = fakeFailure({
      ran: '/usr/bin/node server.js --token ***REDACTED***',
      exitCode: 3,
      stderrTail: ['reading settings', '', 'fatal: no database'],
    });
    const server = new FakeServer(fakeDefinition('bad'), { kind: 'error', failure, nextRetryAt });
    const time = new Date(nextRetryAt).toLocaleTimeString();
    const text = `fatal: no database. ${failure.message} ${failure.remedy} Next try at ${time}`;
    const [first, ...others] = serverTooltip(server);
    expect(first).toEqual({ kind: 'paragraph', text });
    expect(others).toHaveLength(2);
    expect(entryTooltip(server, [])).toEqual([
      { kind: 'title', text: 'bad' },
      first,
      ...others,
      expect.objectContaining({ kind: 'actions' }),
      {
        kind: 'code',
        text: `$ ${failure.ran}\nreading settings\nfatal: no database\nExit code 3`,
      },
    ]);
  });

  it('shows what is wrong with a server and advice about it under the row, in its file and on its page', () => {
    const problem = (severity: 'hint' | 'warning', message: string) =>
      ({ code: 'ignored-field', severity, message, remedy: 'Do it.' }) as const;
    const problems = [problem('hint', 'Advice.'), problem('warning', 'Trouble.')];
    const server = new FakeServer(fakeDefinition('one', { change: { problems } }), {
      kind: 'idle',
    });
    expect(childNodes(serverNode(server)).map(outline)).toEqual(['Trouble.', 'Advice.']);
    const icons = childNodes(serverNode(server)).map((node) => presentNode(node, context).icon);
    expect(icons).toEqual(['warning', 'lightbulb']);
    const texts = entryTooltip(server, problems).flatMap((part) =>
      part.kind === 'paragraph' ? [part.text] : [],
    );
    const sorted = ['Trouble. Do it.', 'Advice. Do it.'];
    expect(texts.filter((text) => text.endsWith('Do it.'))).toEqual(sorted);
    const { suggestions } = serverPageView(
      service(fakePool([server])),
      { id: server.id, name: '' },
      context,
    );
    expect(suggestions).toEqual(sorted);
  });

  it('offers in its file what can be done, the own step of its state first', () => {
    const titles = (state: McpServerState) =>
      entryTooltip(new FakeServer(fakeDefinition('db'), state), [])
        .flatMap((part) => (part.kind === 'actions' ? part.actions : []))
        .map(({ title }) => title);
    expect(titles({ kind: 'idle' })).toEqual(['Start', 'Open']);
    expect(titles(connected)).toEqual(['Restart', 'Open']);
    expect(titles({ kind: 'trust_required', reason: { kind: 'never_consented' } })).toEqual([
      'Review…',
      'Open',
    ]);
  });

  it('names the signal of a failure, and what was written when nothing ran', () => {
    const killed = new FakeServer(fakeDefinition('killed'), {
      kind: 'error',
      failure: fakeFailure({ signal: 'SIGSEGV' }),
    });
    const tooltip = entryTooltip(killed, []);
    expect(tooltip).toContainEqual({ kind: 'code', text: 'Signal SIGSEGV' });
    expect(tooltip).toContainEqual({
      kind: 'code',
      text: launchText(killed.definition),
      language: 'shellscript',
    });
  });

  it('gives each problem an id of its own, and shows what is said twice once', () => {
    const problems = ['"env.A"', '"env.B"', '"env.B"'].map((message) => ({
      code: 'wrong-type' as const,
      severity: 'error' as const,
      message,
      remedy: 'Correct it.',
    }));
    const server = new FakeServer(fakeDefinition('one', { change: { problems } }), {
      kind: 'idle',
    });
    const rows = childNodes(serverNode(server));
    expect(rows.map((row) => presentNode(row, context).label)).toEqual(['"env.A"', '"env.B"']);
    expect(new Set(rows.map(nodeId)).size).toBe(2);
  });

  it('has no roots without servers and problems, so that the welcome view shows', () => {
    expect(rootNodes(service(fakePool([]), fakePool([], { folder })))).toEqual([]);
  });

  it('shows a file that cannot be read although it has no servers', () => {
    const problem = {
      code: 'syntax',
      severity: 'error',
      message: '/work/api/.mcp.json has a syntax error in line 3: "," is missing.',
      remedy: 'Correct the line.',
      range: { start: 20, end: 21 },
    } as const;
    const fileProblems = [{ path: '/work/api/.mcp.json', problem }];
    const pool = fakePool([], { folder, change: { fileProblems } });
    const [root] = rootNodes(service(pool));
    expect(root && outline(root)).toEqual([
      'api (0 servers · file problem)',
      ['.mcp.json has a syntax error in line 3: "," is missing.'],
    ]);
    const [child] = root ? childNodes(root) : [];
    expect(child && presentNode(child, context).command?.id).toBe('piMcp.openConfiguration');
  });

  it('leaves advice about a file to its editor', () => {
    const problem = {
      code: 'unknown-setting',
      severity: 'info',
      message: '"x" is not known.',
      remedy: 'Check the spelling.',
    } as const;
    const fileProblems = [{ path: '/work/api/.mcp.json', problem }];
    const pool = fakePool([], { folder, change: { fileProblems } });
    expect(rootNodes(service(pool))).toEqual([]);
    expect(childNodes({ kind: 'pool', pool })).toEqual([]);
  });

  it('gives every node an id of its own, also to servers of one name in two folders', () => {
    const other = fakeFolder('web');
    const catalog = {
      tools: [
        { name: 'same', inputSchema: {} },
        { name: 'same', inputSchema: {} },
      ],
    };
    const pools = [folder, other].map((one) =>
      fakePool([new FakeServer(fakeDefinition('db', { folder: one }), connected, catalog)], {
        folder: one,
      }),
    );
    const all = (node: TreeNode): TreeNode[] => [node, ...childNodes(node).flatMap(all)];
    const ids = rootNodes(service(...pools))
      .flatMap(all)
      .map(nodeId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('leads from every node back to its parent', () => {
    const server = new FakeServer(fakeDefinition('db', { folder }), connected, {
      tools: [{ name: 'query', inputSchema: {} }],
    });
    const tree = service(fakePool([server], { folder }));
    const check = (node: TreeNode): void => {
      for (const child of childNodes(node)) {
        const parent = parentNode(child, tree);
        expect(parent && nodeId(parent)).toBe(nodeId(node));
        check(child);
      }
    };
    rootNodes(tree).forEach(check);
    expect.assertions(3);
  });
});

describe('server node', () => {
  it.each<[string, McpServerState, string, string]>([
    ['connected', connected, 'db, Connected, folder api', 'startable running'],
    ['idle', { kind: 'idle' }, 'db, Not running, folder api', 'startable'],
    [
      'waiting for consent',
      { kind: 'trust_required', reason: { kind: 'never_consented' } },
      'db, Needs trust, folder api',
      'awaitsConsent',
    ],
    [
      'restricted',
      { kind: 'trust_required', reason: { kind: 'workspace_untrusted' } },
      'db, Restricted Mode, folder api',
      'restricted',
    ],
    ['disabled', { kind: 'disabled', by: 'server' }, 'db, Disabled, folder api', ''],
  ])('says in words and flags that it is %s', (_name, state, spoken, flags) => {
    const enabled = state.kind !== 'disabled';
    const definition = fakeDefinition('db', { folder, change: { enabled } });
    const shown = presentNode(serverNode(new FakeServer(definition, state)), context);
    expect(shown.spoken).toBe(spoken);
    const enablement = enabled ? itemFlags.switchedOn : itemFlags.switchedOff;
    expect(shown.flags).toBe(`server ${enablement} ${flags}`.trim());
  });

  it('has an icon of its own for each state', () => {
    const failure = fakeFailure();
    const states: readonly McpServerState[] = [
      { kind: 'disabled', by: 'server' },
      { kind: 'invalid', problems: [] },
      { kind: 'trust_required', reason: { kind: 'never_consented' } },
      { kind: 'idle' },
      { kind: 'connecting' },
      connected,
      { kind: 'needs_auth', failure },
      { kind: 'error', failure },
    ];
    const shown = states.map((state) =>
      presentNode(serverNode(new FakeServer(fakeDefinition('db'), state)), context),
    );
    expect(new Set(shown.map(({ icon }) => icon)).size).toBe(states.length);
    const colors = new Map(states.map(({ kind }, index) => [kind, shown[index]?.color]));
    expect([colors.get('connected'), colors.get('idle'), colors.get('error')]).toEqual([
      'testing.iconPassed',
      'disabledForeground',
      'list.errorForeground',
    ]);
  });

  it.each<[string, McpServerState, ServerAccount, string]>([
    ['connected without an account', connected, none, ''],
    ['not connected', { kind: 'idle' }, none, 'canSignIn'],
    ['signed in', connected, { ...none, hasTokens: true, hasClient: true }, 'signedIn registered'],
    ['signed out', { kind: 'idle' }, { ...none, hasClient: true }, 'canSignIn registered'],
  ])('offers what can be done about the account when it is %s', (_name, state, stored, flags) => {
    const definition = fakeDefinition('db', {
      change: { launch: httpLaunch('https://db.example/mcp') },
    });
    const offered = presentNode(serverNode(new FakeServer(definition, state)), {
      ...context,
      storedAccount: () => stored,
    });
    const words = ['canSignIn', 'signedIn', 'signedOut', 'registered'];
    expect(offered.flags.split(' ').filter((flag) => words.includes(flag))).toEqual(
      flags.split(' ').filter(Boolean),
    );
  });

  it('calls the user back to a question that was left', () => {
    const server = new FakeServer(fakeDefinition('db', { folder }), connected);
    const shown = presentNode(serverNode(server), { ...context, openQuestion: () => 'Who?' });
    expect(shown.spoken).toBe('db, Connected, waits for your answer, folder api');
    expect(shown.flags).toContain('asking');
  });

  it('starts with a way to what waits for review, in all folders', () => {
    const waiting = (name: string, reason: 'never_consented' | 'workspace_untrusted') =>
      new FakeServer(fakeDefinition(name, { folder }), {
        kind: 'trust_required',
        reason: { kind: reason },
      });
    const first = (...servers: FakeServer[]) =>
      rootNodes(service(fakePool([]), fakePool(servers, { folder })))[0];
    const review = first(waiting('a', 'never_consented'), waiting('b', 'never_consented'));
    expect(review && presentNode(review, context)).toMatchObject({
      label: 'Review',
      spoken: 'Review: 2 MCP servers wait for your review.',
      command: { id: 'piMcp.reviewServers' },
    });
    expect(first(waiting('a', 'workspace_untrusted'))?.kind).toBe('pool');
    expect(first(new FakeServer(fakeDefinition('a', { folder }), connected))?.kind).toBe('pool');
  });

  it('opens its page by a click, whatever it waits for, and acts never', () => {
    const states: readonly McpServerState[] = [
      connected,
      { kind: 'needs_auth', failure: fakeFailure() },
      { kind: 'trust_required', reason: { kind: 'never_consented' } },
      { kind: 'trust_required', reason: { kind: 'workspace_untrusted' } },
    ];
    for (const state of states) {
      const node = serverNode(new FakeServer(fakeDefinition('db', { folder }), state));
      const click = presentNode(node, { ...context, openQuestion: () => 'Who?' }).command?.id;
      expect(click).toBe('piMcp.openServer');
    }
  });

  it('shows where each argument ends', () => {
    const launch = {
      kind: 'stdio',
      command: 'npx',
      args: ['-y', 'two words', '', 'hidden\u202e\u200bend'],
      env: {},
      inheritEnv: false,
    } as const;
    const definition = fakeDefinition('x', { change: { launch } });
    expect(launchText(definition)).toBe('npx -y "two words" "" "hidden\\u{202e}\\u{200b}end"');
  });

  it.each<[McpServerLaunch]>([
    [
      {
        kind: 'stdio',
        command: 'docker',
        args: ['run', '-e', 'API_KEY=s3cret', 'image', '--token', 's3cret'],
        env: { KEY: 's3cret' },
        inheritEnv: false,
      },
    ],
    [
      {
        kind: 'http',
        url: 'https://user:s3cret@example.com/mcp?token=s3cret',
        transport: 'auto',
        headers: { 'X-Key': 's3cret' },
        ignoreCertificateErrors: false,
      },
    ],
  ])('shows no secret of %j', (launch) => {
    const server = new FakeServer(fakeDefinition('x', { change: { launch } }), connected);
    const page = serverPageView(service(fakePool([server])), { id: server.id, name: '' }, context);
    const shown = [presentNode(serverNode(server), context), serverTooltip(server), page];
    expect(JSON.stringify(shown)).toContain('***REDACTED***');
    expect(JSON.stringify(shown)).not.toContain('s3cret');
  });
});
