/** What a skill goes through before it is used. That a real server's is: `test/attacks/skills.test.ts`. */
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { HumanError } from '../../../../src/base/errors.js';
import { skillsExtension } from '../../../../src/mcp/connection/reading/parseSkill.js';
import { EngineError, type RequestOptions } from '../../../../src/mcp/connection/session/engine.js';
import type {
  DefinitionChange,
  McpResourceContents,
  McpSkill,
} from '../../../../src/mcp/mcpTypes.js';
import { loadSkill, type ReviewSkill } from '../../../../src/mcp/server/loadSkill.js';
import { FakeConnection } from '../../../helpers/fakes/fakeConnection.js';
import { FakeServer, fakeDefinition } from '../../../helpers/fakes/fakeMcp.js';

const root = 'skill://forms';
const manifest = '---\nname: forms\ndescription: Fills in forms.\nlicense: MIT\n---\nRead it.\n';
const picture = Buffer.from([0xff, 0xd8]);
const stored: Readonly<Record<string, string | Buffer>> = {
  'SKILL.md': manifest,
  'FIELDS.md': 'name, age',
  'form.jpg': picture,
};
const skill: McpSkill = {
  uri: `${root}/SKILL.md`,
  name: 'forms',
  description: 'Fills in forms.',
  frontmatter: { license: 'MIT' },
  files: Object.entries(stored).map(([path, content]) => ({
    uri: `${root}/${path}`,
    path,
    size: content.length,
    sha256: createHash('sha256').update(content).digest('hex'),
  })),
};
const held: DefinitionChange = {
  kind: 'skill',
  name: 'forms',
  fingerprint: 'f',
  before: undefined,
  definition: {},
  shown: 'nothing',
};

/** The server has read what it gives of a file. */
type Give = (uri: string) => readonly McpResourceContents[];

const give: Give = (uri) => {
  const content = stored[uri.slice(root.length + 1)] ?? '';
  return typeof content === 'string'
    ? [{ uri, text: content }]
    : [{ uri, blob: content.toString('base64') }];
};

function setUp({
  isAgreed = false,
  capabilities = { extensions: { [skillsExtension]: {} } },
} = {}) {
  const server = new FakeServer(
    fakeDefinition('skilled'),
    { kind: 'idle' },
    {
      skills: [{ ...skill, name: 'other' }, skill],
    },
  );
  const bounds: RequestOptions = { timeoutMs: 1234 };
  /** In the order in which it happens. */
  const steps: string[] = [];
  const user = {
    review: (async ({ definition, text }) => {
      steps.push(`show ${definition.name}: ${text}`);
      return true;
    }) as ReviewSkill | undefined,
    give,
    bounds,
  };
  const agreed = new Set(isAgreed ? [skill] : []);
  const connection = new FakeConnection(1);
  const readResource = async (uri: string, options: RequestOptions) => {
    expect(options).toBe(user.bounds);
    steps.push(`read ${uri}`);
    return user.give(uri);
  };
  Object.assign(connection.session, { capabilities, readResource });
  const load = (path?: string, signal?: AbortSignal, name = 'forms') =>
    loadSkill(
      server,
      {
        mayUse: (one) => agreed.has(one),
        allowUse: async (one) => {
          steps.push(`agree ${one.name}`);
          agreed.add(one);
        },
      },
      user.review,
      { name, path, options: signal ? { signal } : {} },
      (read) =>
        read(connection, user.bounds).catch((error: unknown) => {
          steps.push('fail');
          throw error;
        }),
    );
  const list = (...skills: readonly McpSkill[]) =>
    server.catalog.set({ ...server.catalog.value, skills });
  return { server, user, steps, load, list };
}

const [readManifest, readFields] = [`read ${skill.uri}`, `read ${root}/FIELDS.md`];
const show = `show skilled: ${manifest}`;

it.each<[string, string | undefined, boolean, readonly string[], string | undefined]>([
  ['its text, read once', undefined, false, [readManifest, show, 'agree forms'], manifest],
  [
    'another file, after its text was shown',
    'FIELDS.md',
    false,
    [readFields, readManifest, show, 'agree forms'],
    'name, age',
  ],
  ['what was agreed to, without a question', undefined, true, [readManifest], manifest],
  ['a file that is no text, as none', 'form.jpg', true, [`read ${root}/form.jpg`], undefined],
])('loads %s', async (_what, path, isAgreed, expected, text) => {
  const { load, steps } = setUp({ isAgreed });
  const file = skill.files.find((one) => one.path === (path ?? 'SKILL.md'));
  expect(await load(path)).toEqual({ skill, file, text });
  expect(steps).toEqual(expected);
});

it.each<[string, ReviewSkill | undefined, string, string | undefined]>([
  ['nobody is there to look at', undefined, 'not been shown', 'Load it in the agent panel once.'],
  ['the user does not want', async () => false, 'does not want', undefined],
])('gives and remembers nothing of what %s', async (_what, review, text, remedy) => {
  const { load, steps, user } = setUp();
  user.review = review;
  const message = expect.stringContaining(text);
  await expect(load()).rejects.toMatchObject({ code: 'skill_unread', message, remedy });
  expect(steps).toEqual([readManifest]);
});

it('takes no answer of a question that was cancelled', async () => {
  const { load, steps, user } = setUp();
  const leaving = new AbortController();
  user.review = async (_review, signal) => {
    expect(signal).toBe(leaving.signal);
    leaving.abort(new Error('left'));
    return true;
  };
  await expect(load(undefined, leaving.signal)).rejects.toThrow('left');
  expect(steps).toEqual([readManifest]);
});

it.each<[string, string, boolean]>([
  ['while it was shown', 'SKILL.md', false],
  ['while its text was read, and back', 'FIELDS.md', true],
])('agrees to nothing that changed %s', async (_when, path, isBack) => {
  const { load, list, steps, user } = setUp();
  const next = { ...skill };
  user.give = (uri) => {
    list(isBack ? next : skill);
    return give(uri);
  };
  user.review = async () => {
    list(isBack ? skill : next);
    return true;
  };
  await expect(load(path)).rejects.toMatchObject({
    code: 'skill_refused',
    message: expect.stringContaining('it changed meanwhile'),
  });
  expect(steps).not.toContain('agree forms');
});

it.each<[string, string, string, readonly DefinitionChange[], string, string]>([
  ['another skill', 'x'.repeat(200), 'SKILL.md', [], 'skill_unknown', `${'x'.repeat(79)}…`],
  ['another file', 'forms', '../SKILL.md', [], 'skill_unknown', '../SKILL.md'],
  ['a file by its address', 'forms', skill.uri, [], 'skill_unknown', skill.uri],
  ['what is held back', 'forms', 'SKILL.md', [held], 'definition_held', 'forms'],
])('asks a server for nothing of %s', async (_what, name, path, changes, code, text) => {
  const { server, load, steps } = setUp({ isAgreed: true });
  server.catalog.set({ ...server.catalog.value, changes });
  const message = expect.stringContaining(text);
  await expect(load(path, undefined, name)).rejects.toMatchObject({ code, message });
  // the connection is as good as before
  expect(steps).toEqual([]);
});

it('loads what is held back as a tool of the same name', async () => {
  const { server, load } = setUp({ isAgreed: true });
  server.catalog.set({ ...server.catalog.value, changes: [{ ...held, kind: 'tool' }] });
  expect((await load()).text).toBe(manifest);
});

it.each<[string, Give, string]>([
  [
    'another text than is listed',
    (uri) => [{ uri, text: manifest.replace('it', 'me') }],
    'has digest',
  ],
  ['another length', (uri) => [{ uri, text: `${manifest}!` }], 'bytes; the skill entry lists'],
  ['another file', () => give(`${root}/FIELDS.md`), 'no contents'],
  ['nothing', () => [], 'no contents'],
])('shows nothing where the server gives %s', async (_what, given, reason) => {
  const { load, steps, user } = setUp();
  user.give = given;
  await expect(load()).rejects.toMatchObject({
    code: 'skill_refused',
    message: expect.stringContaining(reason),
    remedy: 'Ask the operator of the server.',
  });
  expect(steps).toEqual([readManifest]);
});

it.each<[string, Partial<McpSkill>]>([
  ['description', { description: 'Fills in all.' }],
  ['licence', { frontmatter: { license: 'BSD' } }],
])('shows nothing of a text whose %s is not what is listed', async (_what, change) => {
  const { load, list, steps } = setUp();
  list({ ...skill, ...change });
  await expect(load()).rejects.toMatchObject({ code: 'skill_refused' });
  expect(steps).toEqual([readManifest]);
});

it('asks a server without skills for none', async () => {
  const { load, steps } = setUp({ capabilities: {} as never });
  await expect(load()).rejects.toMatchObject({ code: 'skill_refused' });
  expect(steps).toEqual([]);
});

it.each<[string, Error, boolean, boolean]>([
  ['a broken connection', new EngineError('closed', 'gone'), false, true],
  ['a request that was cancelled', new Error('left'), true, true],
  ['what we refuse ourselves', new HumanError('stopped', 'Stopped.'), false, false],
])('hands on %s as it is', async (_what, error, isCancelled, isFailure) => {
  const { load, steps, user } = setUp();
  const leaving = new AbortController();
  user.bounds = { timeoutMs: 1, signal: leaving.signal };
  user.give = () => {
    if (isCancelled) {
      leaving.abort();
    }
    throw error;
  };
  await expect(load()).rejects.toBe(error);
  expect(steps.includes('fail')).toBe(isFailure);
});

it('says in a bounded line why a text cannot be read, with what hides in it', async () => {
  const { load, steps, user } = setUp();
  user.bounds = { timeoutMs: 1, signal: new AbortController().signal };
  user.give = () => {
    throw new Error(`\u202e${'x'.repeat(1000)}`);
  };
  await expect(load()).rejects.toMatchObject({
    code: 'skill_refused',
    message: `The skill forms was not loaded: \\u202e${'x'.repeat(499)}`,
  });
  expect(steps).toEqual([readManifest]);
});
