import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readFolderResources } from '../../../../src/agent/pi/folderResources.js';
import { expandSkill } from '../../../../src/agent/pi/folderSkills.js';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pi-mcp-resources-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
}

async function read(cwd: string, isFolderTrusted = true) {
  const pi = await import('../../../../src/agent/pi/piEntry.js');
  const places = { cwd: join(root, cwd), agentDir: join(root, 'agent'), homeDir: root };
  return await readFolderResources(pi, { ...places, isFolderTrusted });
}

const skill = (name: string) =>
  `---\nname: ${name}\ndescription: About ${name}\n---\nBody of ${name}\n`;

it('reads instructions from the user, then from the outermost folder to the innermost', async () => {
  await write({
    'agent/AGENTS.md': 'user',
    'work/CLAUDE.md': 'above',
    'work/app/AGENTS.md': '\uFEFFfolder',
    'work/app/CLAUDE.md': 'not the first',
  });
  const { contextFiles, refused } = await read('work/app');
  expect(contextFiles.map(({ content }) => content)).toEqual(['user', 'above', 'folder']);
  expect(refused).toEqual([]);
});

it('reads the instructions of a worktree inside of its repository once', async () => {
  await write({
    'repo/AGENTS.md': 'the same',
    'repo/trees/feature/AGENTS.md': 'the same',
    'repo/trees/feature/.git': `gitdir: ${join(root, 'repo/.git/worktrees/feature')}\n`,
  });
  const { contextFiles } = await read('repo/trees/feature');
  expect(contextFiles.map(({ path }) => path)).toEqual([
    join(root, 'repo/trees/feature/AGENTS.md'),
  ]);
});

it("prefers the folder's system prompt to the user's", async () => {
  await write({
    'agent/SYSTEM.md': 'user',
    'app/.pi/SYSTEM.md': 'folder',
    'agent/APPEND_SYSTEM.md': 'more',
  });
  expect(await read('app')).toMatchObject({ systemPrompt: 'folder', appendSystemPrompt: 'more' });
  expect(await read('app', false)).toMatchObject({
    systemPrompt: 'user',
    appendSystemPrompt: 'more',
  });
});

it('finds skills where Pi does, up to the root of the repository', async () => {
  await write({
    '.agents/skills/far/SKILL.md': skill('far'),
    'repo/.git/HEAD': '',
    'repo/.agents/skills/shared/SKILL.md': skill('shared'),
    'repo/.agents/skills/loose.md': skill('loose'),
    'repo/app/.pi/skills/single.md': skill('single'),
    'repo/app/.pi/skills/deep/er/SKILL.md': skill('deep'),
    'repo/app/.pi/skills/deep/er/other.md': skill('other'),
    'repo/app/.pi/skills/node_modules/x/SKILL.md': skill('x'),
    'repo/app/.pi/skills/plain.md': 'No fields',
    'repo/app/.pi/skills/broken/SKILL.md': '---\n: [\n---\n',
  });
  const { skills } = await read('repo/app');
  expect(skills.map(({ name }) => name)).toEqual(['deep', 'single', 'shared']);
  expect((await read('repo/app', false)).skills).toEqual([]);
});

it('expands a call of a skill from what was read', async () => {
  await write({ 'app/.pi/skills/gift/SKILL.md': skill('gift') });
  const { skills } = await read('app');
  const expanded = expandSkill(skills, '/skill:gift for a friend');
  expect(expanded).toMatch(/^<skill name="gift" .*Body of gift\n<\/skill>\n\nfor a friend$/s);
  expect([expandSkill(skills, '/skill:other'), expandSkill(skills, 'gift')]).toEqual([
    undefined,
    undefined,
  ]);
});

it('reads prompts with their fields', async () => {
  await write({
    'app/.pi/prompts/fix.md': '---\ndescription: Fixes\nargument-hint: <what>\n---\nFix $1',
    'app/.pi/prompts/plain.md': `\n${'x'.repeat(70)}`,
    'app/.pi/prompts/inner/no.md': 'no',
  });
  const { prompts } = await read('app');
  expect(prompts).toMatchObject([
    { name: 'fix', description: 'Fixes', argumentHint: '<what>', content: 'Fix $1' },
    { name: 'plain', description: `${'x'.repeat(60)}...` },
  ]);
});

it('looks at no more than a bound of files', async () => {
  await write({ 'app/.pi/prompts/first.md': 'x' });
  const name = (index: number) => join(root, `app/.pi/prompts/${index}.md`);
  await Promise.all(Array.from({ length: 2_100 }, (_, index) => writeFile(name(index), 'x')));
  expect((await read('app')).prompts).toHaveLength(2_000);
});
