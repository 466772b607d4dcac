/** What a person finds in the command palette and in the menus of the view, counted by the manifest's own clauses. */
import { describe, expect, it } from 'vitest';
import manifest from '../../package.json';
import type { McpHttpLaunch } from '../../src/config/definition.js';
import { windowKeys } from '../../src/presentation/tree/windowKeys.js';
import {
  FakeServer,
  FakeService,
  fakeDefinition,
  fakeFolder,
  fakePool,
} from '../helpers/fakes/fakeMcp.js';

const { commands, menus } = manifest.contributes;
const clauses = new Map(menus.commandPalette.map(({ command, when }) => [command, when]));

type Keys = Readonly<Record<string, boolean | string>>;

/** Of a `when` clause, as far as ours go: names, `!`, `==`, `=~`, `&&` and `||`. */
function holds(clause: string, keys: Keys): boolean {
  return clause
    .split(' || ')
    .some((either) => either.split(' && ').every((term) => termHolds(term, keys)));
}

function termHolds(term: string, keys: Keys): boolean {
  const [name = '', operator, value = ''] = term.split(/ (==|=~) /);
  const known = keys[name.replace(/^!/, '')];
  switch (operator) {
    case undefined:
      return name === 'false' ? false : Boolean(known) !== name.startsWith('!');
    case '==':
      return known === value.replaceAll("'", '');
    default:
      return new RegExp(value.slice(1, -1)).test(String(known ?? ''));
  }
}

function shown(keys: Keys): readonly string[] {
  return commands
    .map(({ command }) => command)
    .filter((command) => holds(clauses.get(command) ?? 'always', { always: true, ...keys }))
    .map((command) => command.replace('piMcp.', ''));
}

const idle = { isWorkspaceTrusted: true };
const trusted = { ...idle, 'piMcp.hasServers': true, 'piMcp.isLoaded': true };
const failing = { ...trusted, 'piMcp.canSignIn': true, 'piMcp.awaitsReview': true };
const running = { ...trusted, 'piMcp.hasRunning': true };
const agent = { ...running, 'piMcp.isAgentOpen': true, 'piMcp.isAgentFocused': true };

describe('the command palette', () => {
  it('has at most 30 commands of ours in a window at rest, with servers or without', () => {
    expect(shown(idle).length).toBeLessThanOrEqual(20);
    expect(shown(trusted).length).toBeLessThanOrEqual(30);
    expect(shown(running).length).toBeLessThanOrEqual(31);
    expect(shown(failing).length).toBeLessThanOrEqual(33);
    expect(shown(agent).length).toBeLessThanOrEqual(38);
  });

  it('keeps what everybody looks for by name', () => {
    expect(shown(idle)).toEqual(expect.arrayContaining(['addServer', 'doctor', 'focusAgent']));
    expect(shown(trusted)).toEqual(expect.arrayContaining(['probeServer', 'runTool']));
    expect(shown(failing)).toEqual(
      expect.arrayContaining(['signIn', 'reviewServers', 'trustFolder']),
    );
  });

  it.each([
    ['stopGateway', 'piMcp.gatewayRuns'],
    ['stopServer', 'piMcp.hasRunning'],
    ['showTasks', 'piMcp.hasRunning'],
    ['useGateway', 'piMcp.gatewayRuns'],
    ['openResource', 'piMcp.hasResources'],
    ['getPrompt', 'piMcp.hasPrompts'],
    ['answerQuestion', 'piMcp.hasQuestion'],
    ['undoAllChanges', 'piMcp.hasChanges'],
    ['redoChanges', 'piMcp.canRedo'],
    ['renameConversation', 'piMcp.isAgentOpen'],
    ['goToWaiting', 'piMcp.isConversationWaiting'],
  ])('shows %s only where it can do something', (command, key) => {
    expect(shown(trusted)).not.toContain(command);
    expect(shown({ ...trusted, [key]: true })).toContain(command);
  });

  it('contributes at most 70 commands, each of which a person can reach', () => {
    expect(commands.length).toBeLessThanOrEqual(70);
    const inMenus = new Set(
      Object.entries(menus)
        .filter(([menu]) => menu !== 'commandPalette')
        .flatMap(([, items]) => items.flatMap((item) => ('command' in item ? [item.command] : []))),
    );
    const unreachable = commands.filter(
      ({ command }) => clauses.get(command) === 'false' && !inMenus.has(command),
    );
    expect(unreachable).toEqual([]);
  });
});

describe('the keys of a window', () => {
  const keysOf = ({ servers }: FakeService) =>
    windowKeys({ servers }, { openQuestion: () => 'Which?' });
  const folder = fakeFolder('shop');

  it('are all off where nothing is declared', () => {
    const { 'piMcp.isLoaded': isLoaded, ...others } = keysOf(new FakeService([]));
    expect(isLoaded).toBe(true);
    expect(Object.values(others)).toEqual(Array(7).fill(false));
  });

  it('say what its servers offer and wait for', () => {
    const launch: McpHttpLaunch = {
      kind: 'http',
      url: 'https://a.example/mcp',
      transport: 'auto',
      headers: {},
      ignoreCertificateErrors: false,
    };
    const change = { launch };
    const prompts = [{ name: 'greet', arguments: [] }];
    const servers = [
      new FakeServer(fakeDefinition('a', { folder, change }), { kind: 'idle' }, { prompts }),
    ];
    expect(keysOf(new FakeService([fakePool(servers, { folder })]))).toEqual({
      'piMcp.isLoaded': true,
      'piMcp.hasServers': true,
      'piMcp.awaitsReview': false,
      'piMcp.hasRunning': false,
      'piMcp.canSignIn': true,
      'piMcp.hasResources': false,
      'piMcp.hasPrompts': true,
      'piMcp.hasQuestion': true,
    });
  });
});
