import { describe, expect, it } from 'vitest';
import type { McpServer } from '../../../../src/mcp/mcpApi.js';
import type { McpServerState } from '../../../../src/mcp/mcpTypes.js';
import { doctorMarkdown } from '../../../../src/presentation/doctor/doctorMarkdown.js';
import {
  type DoctorFindings,
  type DoctorParts,
  doctorReport,
} from '../../../../src/presentation/doctor/doctorReport.js';
import { endingQuestion, endingText } from '../../../../src/presentation/doctor/endingText.js';
import { editorProblem } from '../../../../src/presentation/doctor/serverReport.js';
import { versionFacts } from '../../../../src/presentation/doctor/versions.js';
import type { DoctorReport } from '../../../../src/protocol/doctor/doctorProtocol.js';
import {
  FakeServer,
  fakeDefinition,
  fakeFailure,
  fakeFolder,
  fakePool,
} from '../../../helpers/fakes/fakeMcp.js';

const nothing: DoctorFindings = { machine: [], doubleStarts: [], leftovers: [], calls: [] };
const now = Date.UTC(2026, 10, 22, 12);
const folder = fakeFolder('shop');
const connected: McpServerState = {
  kind: 'connected',
  transport: 'stdio',
  since: now,
  connectMs: 41.6,
};

function report(servers: readonly McpServer[], change: Partial<DoctorParts> = {}): DoctorReport {
  return doctorReport({
    service: { pools: [fakePool(servers)], trust: { isWorkspaceTrusted: true } as never },
    servers,
    environment: { getVariable: () => undefined },
    nameOf: ({ definition }) => definition.name,
    problemOf: editorProblem,
    adviceOf: () => [],
    versions: [],
    findings: nothing,
    now,
    language: 'en',
    ...change,
  });
}

function server(state: McpServerState, name = 'weather'): FakeServer {
  return new FakeServer(fakeDefinition(name), state);
}

describe('a server', () => {
  it('that fails says why, what was tried, what it wrote and what to do', () => {
    const failure = fakeFailure({
      ran: 'node weather.js',
      exitCode: 1,
      stderrTail: ['Error: no map', ''],
    });
    const [shown] = report([server({ kind: 'error', failure })]).servers;
    expect(shown).toMatchObject({
      name: 'weather',
      reason: 'no map',
      code: 'exited',
      sentence: 'The process ended with exit code 1.',
      next: 'Read what it wrote last.',
      needsUser: true,
      evidence: ['$ node weather.js', 'Error: no map', 'Exit code 1'],
    });
    expect(shown?.facts).toEqual([
      { label: 'Entry', text: 'scope global, kind stdio, state error' },
      { label: 'saved in', text: '/home/user/.pi/agent/mcp.json' },
      { label: 'command', text: 'node weather.js' },
      {
        label: 'is told of the folders',
        text: 'the workspace folder, or none if the arguments name a folder outside',
      },
    ]);
  });

  it('says what it offers once that is known', () => {
    const offers = (state: McpServerState, tools: number) => {
      const catalog = { tools: Array(tools).fill({ name: 'a', inputSchema: {} }) };
      const [shown] = report([new FakeServer(fakeDefinition('a'), state, catalog)]).servers;
      return shown?.facts.find(({ label }) => label === 'offers')?.text;
    };
    expect(offers({ kind: 'idle' }, 0)).toBeUndefined();
    expect(offers({ kind: 'idle' }, 2)).toBe('tools: 2, resources: 0, prompts: 0');
    expect(offers(connected, 0)).toBe('tools: 0, resources: 0, prompts: 0');
  });

  it.each<[string, McpServerState, boolean]>([
    ['connected', connected, false],
    ['idle', { kind: 'idle' }, false],
    ['off', { kind: 'disabled', by: 'server' }, false],
    ['invalid', { kind: 'invalid', problems: [] }, true],
    ['waiting for consent', { kind: 'trust_required', reason: { kind: 'never_consented' } }, true],
    [
      'in Restricted Mode',
      { kind: 'trust_required', reason: { kind: 'workspace_untrusted' } },
      true,
    ],
    ['signed out', { kind: 'needs_auth', failure: fakeFailure({ code: 'unauthorized' }) }, true],
  ])('that is %s needs its user, or does not', (_what, state, needsUser) => {
    const [shown] = report([server(state)]).servers;
    expect(shown?.needsUser).toBe(needsUser);
    expect(shown?.sentence).not.toBe('');
  });

  it('that needs the user stands before those that do not', () => {
    const servers = [
      server(connected, 'fine'),
      server({ kind: 'error', failure: fakeFailure() }, 'broken'),
    ];
    expect(report(servers).servers.map(({ name }) => name)).toEqual(['broken', 'fine']);
  });

  it('has what its entry was found to have, and says nothing twice', () => {
    const { servers } = report([server({ kind: 'idle' })], {
      adviceOf: () => [
        { severity: 'warning', message: 'It is not pinned.', remedy: 'Pin it.' } as never,
        { severity: 'warning', message: stateSentence } as never,
      ],
    });
    expect(servers[0]?.notes).toEqual(['It is not pinned. Pin it.']);
  });
});

const stateSentence = 'The server is not running. It starts when one of its tools is used.';

describe('the report', () => {
  const secret = 'hunter2-of-the-entry';
  const withSecret = new FakeServer(
    fakeDefinition('weather', {
      folder,
      change: {
        launch: {
          kind: 'stdio',
          command: 'node',
          args: ['a.js', '--api-key', secret],
          env: {},
          inheritEnv: false,
        },
      },
    }),
    connected,
  );

  it('masks what is a secret of an entry wherever it turns up, and keeps what names something', () => {
    const leftover = {
      key: `run ${secret}`,
      pid: 7,
      argv: ['sh', '-c', `node other.js ${secret}`],
      startedAt: now - 7_200_000,
      processCount: 2,
      window: { pid: 5, startedAt: now - 86_400_000, folders: [`/work/${secret}`] },
    };
    const whole = report([withSecret], {
      versions: [{ label: 'x', text: secret }],
      findings: {
        machine: [{ label: 'PATH', text: `/bin:/${secret}` }],
        doubleStarts: [{ server: secret, client: secret, kind: 'would', text: secret }],
        leftovers: [leftover],
        calls: [],
      },
    });
    const { leftovers = [], ...rest } = whole;
    expect(JSON.stringify(rest)).not.toContain(secret);
    expect(leftovers[0]?.key).toBe(leftover.key);
    expect(JSON.stringify({ ...leftovers[0], key: '' })).not.toContain(secret);
    expect(whole.servers[0]?.id).toBe(withSecret.id);
    expect(doctorMarkdown(whole)).not.toContain(secret);
    // and what is no secret stays
    expect(leftovers[0]?.command).toContain('node other.js');
  });

  it('says of what was left behind what it is, since when and of which window', () => {
    const argv = ['node', 'x.js', '--token', 'abcdef123456'];
    const { leftovers } = report([], {
      findings: {
        ...nothing,
        leftovers: [
          {
            key: 'a',
            pid: 7,
            argv,
            startedAt: now - 7_200_000,
            processCount: 1,
            window: { pid: 5, startedAt: now - 86_400_000, folders: [] },
          },
        ],
      },
    });
    expect(leftovers).toEqual([
      {
        key: 'a',
        command: 'node x.js --token ***REDACTED***',
        facts: [
          { label: 'process', text: '7' },
          { label: 'running since', text: expect.stringMatching(/2026.*\(2 hours ago\)$/) },
          { label: 'folders of its window', text: 'not known' },
          {
            label: 'its window',
            text: expect.stringMatching(/^process 5, since .*\(yesterday\)$/),
          },
        ],
      },
    ]);
  });

  it('has the same in its copy as on its page, and no mark of others counts there', () => {
    const hostile = '# [x](http://e.example) <img src=x>\n## y `z`';
    const name = new FakeServer(fakeDefinition(hostile), connected);
    const text = doctorMarkdown(
      report([name], {
        versions: versionFacts(
          {
            version: '1.2.3',
            devDependencies: {
              '@earendil-works/pi-coding-agent': '1',
              '@modelcontextprotocol/sdk': '2',
              '@modelcontextprotocol/client': '3',
            },
          },
          { label: 'Editor', text: 'VS Code 1.2' },
        ),
        findings: {
          ...nothing,
          doubleStarts: [{ server: 'a', client: 'Cursor', kind: 'has', text: 'It runs, too.' }],
          calls: [
            { server: 's', tool: 't', calls: 3, errors: {}, durations: [5], bytes: 9, tokens: 2 },
          ] as never,
        },
      }),
    );
    expect(text.split('\n').filter((line) => line.startsWith('#'))).toEqual([
      '# Pi MCP report',
      '## `` # [x](http://e.example) <img src=x>\\n## y `z` ``',
      '## Also Running Elsewhere',
      '## Calls',
    ]);
    expect(text).toContain('- Pi MCP: 1.2.3\n- Editor: VS Code 1.2\n');
    expect(text).toContain('- a: It runs, too.');
    expect(text).toContain('- s/t: 3 calls, median 5 ms');
  });

  it('says when nothing of the workspace may run, and leaves out what nobody knows', () => {
    const restricted = report([], {
      service: { pools: [], trust: { isWorkspaceTrusted: false } as never },
      findings: { ...nothing, leftovers: undefined },
    });
    expect(restricted.isRestricted).toBe(true);
    expect(restricted.leftovers).toBeUndefined();
    expect(doctorMarkdown(restricted)).toContain('Restricted Mode');
  });
});

describe('ending what was left behind', () => {
  const left = { key: 'a', command: 'node x.js', facts: [{ label: 'process', text: '7' }] };

  it('is asked with everything that would be ended', () => {
    expect(endingQuestion([left])).toEqual({
      message: 'Stop the orphaned servers?',
      detail: 'node x.js\nprocess: 7',
      action: 'Stop Them',
    });
    expect(endingQuestion([left, left]).message).toBe('Stop the orphaned servers?');
  });

  it.each([
    [['ended', 'ended'], 'Stopped: 2.', false],
    [['gone'], 'Not stopped, process changed: 1.', false],
    [
      ['ended', 'alive'],
      'Stopped: 1. Could not be stopped: 1. Refresh, or stop them by hand.',
      true,
    ],
  ] as const)('that comes to %s says so', (outcomes, text, isWarning) => {
    expect(endingText(outcomes)).toEqual({ text, isWarning });
  });
});
