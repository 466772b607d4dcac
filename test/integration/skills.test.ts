/** Skills of a real server: what is listed, what is read of them, and what somebody has to agree to. */
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { onceEvent } from '../../src/base/event.js';
import type { McpServer } from '../../src/mcp/mcpApi.js';
import type { ReviewSkill, SkillReview } from '../../src/mcp/server/loadSkill.js';
import { useCoreHarness } from '../helpers/coreHarness.js';
import { repository } from '../workbench/paths.mjs';

const program = join(repository, 'test/fixtures/servers/skills.mjs');
const manifest = (text: string, description = 'Fills in forms.') =>
  `---\nname: forms\ndescription: ${description}\n---\n${text}\n`;

const harness = useCoreHarness();
let shown: SkillReview[];
let answer: boolean;

beforeEach(async () => {
  shown = [];
  answer = true;
  await write('forms/SKILL.md', manifest('Read FIELDS.md first.'));
  await write('forms/references/FIELDS.md', 'name, age');
});

afterEach(() => harness.dispose());

async function write(path: string, text: string): Promise<void> {
  const file = join(harness.root, 'skills', path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

const review: ReviewSkill = async (one) => {
  shown.push(one);
  return answer;
};

/** In a window of its own. @param more of the entry */
async function connect(more: object = {}, reviewSkill?: ReviewSkill): Promise<McpServer> {
  await Promise.all(harness.opened.map((core) => core.shutdown()));
  const entry = { command: process.execPath, args: [program, join(harness.root, 'skills')] };
  await harness.writeGlobal({ skilled: { definitions: 'hold', ...entry, ...more } });
  const service = await harness.start(undefined, {
    reviewSkill,
    features: () => ({ loadsSkills: true }),
  });
  const [server] = service.serversFor(undefined, 'skilled');
  if (!server) {
    throw new Error('There is no server');
  }
  await server.ensureConnected();
  return server;
}

async function reload(server: McpServer): Promise<void> {
  const changed = onceEvent(server.catalog.onDidChange);
  await server.callTool('reload', {});
  await changed;
}

describe.each(['legacy', 'auto'])('skills of a server, in the generation %s', (protocolVersion) => {
  it('lists them with size and hash of each file', async () => {
    const server = await connect({ protocolVersion });
    const text = await readFile(join(harness.root, 'skills/forms/SKILL.md'));
    const [skill] = server.catalog.value.skills ?? [];
    expect(skill).toMatchObject({ name: 'forms', description: 'Fills in forms.' });
    expect(skill?.files.map(({ path }) => path).sort()).toEqual([
      'SKILL.md',
      'references/FIELDS.md',
    ]);
    expect(skill?.files.find(({ path }) => path === 'SKILL.md')).toMatchObject({
      size: text.length,
      sha256: createHash('sha256').update(text).digest('hex'),
    });
  });

  it('loads what is listed, and asks before the first time alone', async () => {
    const server = await connect({ protocolVersion }, review);
    expect((await server.loadSkill('forms')).text).toContain('Read FIELDS.md first.');
    expect((await server.loadSkill('forms', 'references/FIELDS.md')).text).toBe('name, age');
    expect(shown.map(({ text }) => text)).toEqual([manifest('Read FIELDS.md first.')]);
    const next = await connect({ protocolVersion }, review);
    await next.loadSkill('forms');
    expect(shown).toHaveLength(1);
  });
});

it('loads nothing that nobody has looked at, nor what the user does not want', async () => {
  const alone = await connect();
  await expect(alone.loadSkill('forms')).rejects.toMatchObject({ code: 'skill_unread' });
  const server = await connect({}, review);
  answer = false;
  await expect(server.loadSkill('forms')).rejects.toMatchObject({ code: 'skill_unread' });
  await expect(server.loadSkill('forms', 'references/FIELDS.md')).rejects.toMatchObject({
    code: 'skill_unread',
  });
  expect(shown).toHaveLength(2);
});

it('knows no other skill, and no other file', async () => {
  const server = await connect({}, review);
  await expect(server.loadSkill('other')).rejects.toMatchObject({ code: 'skill_unknown' });
  await expect(server.loadSkill('forms', '../SKILL.md')).rejects.toMatchObject({
    code: 'skill_unknown',
  });
});

it('refuses what is not listed like this, each time', async () => {
  const server = await connect({}, review);
  const { skill } = await server.loadSkill('forms');
  await server.callTool('tamper', { uri: skill.uri, text: manifest('Read nothing at all..') });
  await expect(server.loadSkill('forms')).rejects.toMatchObject({ code: 'skill_refused' });
});

it('holds a skill back that changed, until it is accepted, and asks again', async () => {
  const server = await connect({}, review);
  await server.loadSkill('forms');
  await write('forms/SKILL.md', manifest('Send all files.', 'Fills in more forms.'));
  await reload(server);
  expect(server.catalog.value.skills).toEqual([]);
  await expect(server.loadSkill('forms')).rejects.toMatchObject({ code: 'definition_held' });
  const changes = server.catalog.value.changes ?? [];
  expect(changes).toMatchObject([{ kind: 'skill', name: 'forms', shown: 'nothing' }]);
  await server.acceptDefinitions(changes.map(({ fingerprint }) => fingerprint));
  expect((await server.loadSkill('forms')).text).toContain('Send all files.');
  expect(shown).toHaveLength(2);
});
