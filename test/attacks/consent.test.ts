/** What the page of consent grants, behind its back and in front of it; what it draws is tried in `pages/consent`. */
import { execFileSync } from 'node:child_process';
import { beforeEach, describe, expect, it } from 'vitest';
import type { WorkspaceFolder } from '../../src/config/definition.js';
import { ConsentReview } from '../../src/presentation/consent/consentReview.js';
import type { ConsentChoice } from '../../src/protocol/consent/consentProtocol.js';
import { Scene } from '../helpers/attacks/scene.js';

let scene: Scene;
let review: ConsentReview;

async function open(entries: (scene: Pick<Scene, 'ran'>) => Readonly<Record<string, object>>) {
  scene = await Scene.create('no consent', (bait) => ({
    '.mcp.json': { mcpServers: entries(bait) },
  }));
  const { service, environment, folder } = scene;
  review = new ConsentReview({ service, environment, folders: () => [folder] });
}

async function rewrite(entries: Readonly<Record<string, object>>): Promise<void> {
  await scene.write({ '.mcp.json': { mcpServers: entries } });
  await scene.service.reload();
}

async function shown(): Promise<readonly ConsentChoice[]> {
  return (await review.look()).cards.map(({ id, hash }) => ({ id, hash }));
}

async function sprung(): Promise<readonly string[]> {
  await scene.tryEverything();
  return (await scene.end()).sprung;
}

beforeEach(() => open(({ ran }) => ({ a: ran.launch('a'), b: ran.launch('b') })));
describe('an answer on the page of consent', () => {
  it('runs what was shown, and only what was chosen', async () => {
    const [first] = await shown();
    expect(await review.trust(first ? [first] : [])).toEqual({ refused: [] });
    expect((await review.look()).cards.map(({ name }) => name)).toEqual(['b']);
    expect(await sprung()).toEqual(['a']);
  });

  it.each([
    ['another command', (ran: Scene['ran']) => ran.launch('changed')],
    ['one more argument', (ran: Scene['ran']) => ({ ...ran.launch('a'), args: ['--more'] })],
    ['a variable', (ran: Scene['ran']) => ({ ...ran.launch('a'), env: { NODE_OPTIONS: '-r x' } })],
    ['another folder', (ran: Scene['ran']) => ({ ...ran.launch('a'), cwd: '/' })],
    ['every variable', (ran: Scene['ran']) => ({ ...ran.launch('a'), inheritEnv: true })],
  ])('is refused where the entry got %s between drawing and press', async (_what, change) => {
    const before = await shown();
    await rewrite({ a: change(scene.ran), b: scene.ran.launch('b') });
    expect(await review.trust(before)).toEqual({ refused: ['a'] });
    expect((await review.look()).cards.map(({ name }) => name)).toEqual(['a']);
    // the other one was as it was shown
    expect(await sprung()).toEqual(['b']);
  });

  it('is refused for a file of the folder that came in the place of what was found', async () => {
    await rewrite({ a: { command: './server' } });
    const before = await shown();
    await scene.write({ server: { found: 'now' } });
    expect(await review.trust(before)).toEqual({ refused: ['a'] });
  });

  it.each([
    ['a hash of nobody', ([a]: readonly ConsentChoice[]) => [{ id: a?.id ?? '', hash: '' }]],
    [
      'the hash of another server',
      ([a, b]: readonly ConsentChoice[]) => [{ id: a?.id ?? '', hash: b?.hash ?? '' }],
    ],
    [
      'an id of nobody',
      ([a]: readonly ConsentChoice[]) => [{ id: '__proto__', hash: a?.hash ?? '' }],
    ],
  ])('grants nothing with %s', async (_what, forge) => {
    await review.trust(forge(await shown()));
    expect((await review.look()).cards).toHaveLength(2);
    expect(await sprung()).toEqual([]);
  });

  it('trusts no folder of which something was not shown, or is another by now', async () => {
    const all = await shown();
    const { uri } = scene.folder;
    expect(await review.trustFolder(uri, all.slice(1))).toEqual({ refused: ['a'] });
    await rewrite({ a: scene.ran.launch('a'), b: scene.ran.launch('b'), c: scene.ran.launch('c') });
    expect(await review.trustFolder(uri, all)).toEqual({ refused: ['c'] });
    expect(await review.trustFolder('file:///elsewhere', all)).toEqual({ refused: [] });
    expect((await review.look()).cards).toHaveLength(3);
    expect(await sprung()).toEqual([]);
  });

  it('trusts a folder that was wholly shown', async () => {
    expect(await review.trustFolder(scene.folder.uri, await shown())).toEqual({ refused: [] });
    expect((await review.look()).cards).toEqual([]);
    expect(await sprung()).toEqual(['a', 'b']);
  });
});

it.each([
  ['blanks that push the rest out of sight', `x${' '.repeat(300)}; rm -rf ~`],
  ['a text that turns', 'x\u202egpj.sh'],
  ['what cannot be seen', 'x\u200b\u2060y'],
  ['tags', `x${String.fromCodePoint(0xe0072, 0xe006d)}`],
  ['variation selectors', 'x\ufe0f\u{e0101}'],
  ['a letter of another script', 'n\u043ede'],
  ['a word of another script that looks like ours', '\u0440\u0430\u0443'],
  ['a slash that is none', 'a\u2215b'],
  ['a dash that is none', '\u2010\u2010yes'],
  ['a blank that is none', 'a\u00a0b'],
  ['a line end', 'a\nb'],
  ['a blank at the end', 'a '],
  ['a Hebrew point on our letter', 'n\u05b4ode'],
  ['a Hebrew meteg on our letter', 'rm\u05bd'],
  ['a Thai vowel on our letter', 'n\u0e34ode'],
  ['a Devanagari sign on our letter', 'n\u0901ode'],
  ['a Cyrillic circle around our letter', 'a\u0488'],
  ['a Cyrillic titlo on our letter', 'a\u0483b'],
])('ticks nothing for the user where an argument has %s', async (_what, arg) => {
  const plain = { command: 'node', args: ['server.js'] };
  await rewrite({ a: plain });
  expect((await review.look()).cards.map(({ isPlain }) => isPlain)).toEqual([true]);
  for (const entry of [
    { command: 'node', args: [arg] },
    { ...plain, env: { MODE: arg } },
  ]) {
    await rewrite({ a: entry });
    const { cards } = await review.look();
    expect(cards.map(({ isPlain }) => isPlain)).toEqual([false]);
    // whole, and as it is
    const values = cards.flatMap(({ lines }) => lines.flatMap(({ rows }) => rows.flat()));
    expect(values).toContainEqual({ text: arg, isValue: true });
  }
});

function commit(author: string, subject: string): void {
  const identity = ['-c', `user.name=${author}`, '-c', 'user.email=some@body.example'];
  const git = (...args: readonly string[]) =>
    execFileSync('git', [...identity, '-c', 'commit.gpgsign=false', ...args], {
      cwd: scene.path(),
    });
  git('init', '-q');
  git('add', '.mcp.json');
  git('commit', '-q', '--allow-empty', '-m', 'Begin');
  git('commit', '-q', '--amend', '--reset-author', '-m', subject);
}

it.each([
  [1_000, true],
  [100_000, false],
])('shows a last commit of %i letters whole, or not at all', async (length, isShown) => {
  const subject = 'x'.repeat(length);
  commit('Some Body', subject);
  const [card] = (await review.look()).cards;
  expect(card?.commit?.at(-1)?.text).toBe(isShown ? subject : undefined);
});

describe('nothing is ticked for the user where', () => {
  const odd = 'x\u202ey';
  const plain = { command: 'node', args: ['server.js'] };
  const plainCards = async () => (await review.look()).cards.map(({ isPlain }) => isPlain);
  const look = async (folders: readonly WorkspaceFolder[]) => {
    const { service, environment } = scene;
    review = new ConsentReview({ service, environment, folders: () => folders });
    return plainCards();
  };

  beforeEach(() => rewrite({ a: plain }));

  it.each([
    ['Some Body', 'Add a server', true],
    [odd, 'Add a server', false],
    ['Some Body', odd, false],
  ])('the last commit is odd: by %j, %j', async (author, subject, isPlain) => {
    commit(author, subject);
    const [card] = (await review.look()).cards;
    expect(card?.commit).toContainEqual({ text: author, isValue: true });
    expect(card?.commit).toContainEqual({ text: subject, isValue: true });
    expect(card?.isPlain).toBe(isPlain);
  });

  it('the name of the folder is odd, and is shown', async () => {
    const other = await scene.core.addFolder('other', {});
    const named = { ...scene.folder, name: odd };
    expect(await look([scene.folder, other])).toEqual([true]);
    expect(await look([named, other])).toEqual([false]);
    expect(await look([named])).toEqual([true]);
  });

  it('the path of its file is odd', async () => {
    // else the working directory shows the same path
    const entry = { ...plain, cwd: scene.path() };
    const even = await scene.core.addFolder('even', { a: entry });
    const other = await scene.core.addFolder(odd, { a: entry });
    await scene.service.reload();
    expect(await look([{ ...even, name: 'a' }])).toEqual([true]);
    expect(await look([{ ...other, name: 'a' }])).toEqual([false]);
  });
});

describe('a server that is copied into the file of the user', () => {
  const entries = (first: object, second: object) =>
    `"agreed": ${JSON.stringify(first)}, "agreed": ${JSON.stringify(second)}`;
  const copied = async (text: (entries: string) => string) => {
    scene = await Scene.create('consent to servers', ({ ran }) => ({
      '.mcp.json': text(entries(ran.launch('hidden'), ran.launch('shown'))),
    }));
    const { service } = scene;
    const [server] = scene.servers;
    await service.configuration.transferServer(server?.definition.id ?? ('' as never), {
      poolId: 'global',
      file: 'primary',
      isCopy: true,
    });
    await scene.write({ '.mcp.json': {} });
    await service.reload();
    await Promise.allSettled(service.servers.map((one) => one.ensureConnected()));
    return (await scene.end()).sprung;
  };

  it('is the one that was consented to, of two of its name in one block or in two', async () => {
    expect(await copied((both) => `{"mcpServers": {${both}}}`)).toEqual(['shown']);
    const apart = (both: string) => both.replace(', "agreed"', '}, "servers": {"agreed"');
    expect(await copied((both) => `{"mcp": {"servers": {${apart(both)}}}}`)).toEqual(['shown']);
  });
});
