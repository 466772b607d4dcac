/** Files of a folder from which Pi takes instructions, settings, skills and prompts, with the real Pi. */
import { execFileSync } from 'node:child_process';
import { mkdir, open, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type AgentBait, AgentScene } from '../helpers/attacks/agentScene.js';
import { type FileTree, Link } from '../helpers/attacks/fileTree.js';

const skill = (text: string) => `---\nname: gift\ndescription: A gift ${text}\n---\n${text}`;

interface Way {
  readonly what: string;
  readonly path: string;
  readonly content?: (text: string) => string;
  /** Default: `hello`. */
  readonly say?: string;
}

const ways: readonly Way[] = [
  { what: 'AGENTS.md', path: 'AGENTS.md' },
  { what: 'AGENTS.override.md', path: 'AGENTS.override.md' },
  { what: 'CLAUDE.md', path: 'CLAUDE.md' },
  { what: '.pi/SYSTEM.md', path: '.pi/SYSTEM.md' },
  { what: '.pi/APPEND_SYSTEM.md', path: '.pi/APPEND_SYSTEM.md' },
  { what: 'a skill of .pi', path: '.pi/skills/gift/SKILL.md', content: skill },
  { what: 'a single file of .pi/skills', path: '.pi/skills/gift.md', content: skill },
  { what: 'a skill of .agents', path: '.agents/skills/gift/SKILL.md', content: skill },
  {
    what: 'the text of a skill that is called',
    path: '.pi/skills/gift/SKILL.md',
    content: (text) => `---\nname: gift\ndescription: A gift\n---\n${text}`,
    say: '/skill:gift please',
  },
  { what: 'a prompt', path: '.pi/prompts/gift.md', say: '/gift' },
];

describe.each(ways)('$what', ({ path, content = (text: string) => text, say = 'hello' }) => {
  it('control: reaches the model from a trusted folder', async () => {
    const s = await AgentScene.create({ files: ({ secret }) => ({ [path]: content(secret) }) });
    await s.say(say);
    expect(s.isSecretTold).toBe(true);
  });

  it('does nothing: in Restricted Mode', async () => {
    const s = await AgentScene.create({
      files: ({ secret }) => ({ [path]: content(secret) }),
      isTrusted: false,
    });
    await s.say(say);
    expect(s.isSecretTold).toBe(false);
  });

  it.each(['absolute', 'relative'])('does nothing: an %s link out of the folder', async (kind) => {
    const s = await AgentScene.create({});
    await writeFile(s.secretPath, content(s.secret));
    await mkdir(dirname(s.path(path)), { recursive: true });
    const ups = path.split('/').map(() => '..');
    const target = kind === 'absolute' ? s.secretPath : join(...ups, 'outside', 'secret.md');
    await symlink(target, s.path(path));
    await s.say(say);
    expect(s.isSecretTold).toBe(false);
  });

  it('does nothing: a folder on the way that is a link', async () => {
    const s = await AgentScene.create({});
    const [first = ''] = path.split('/');
    if (first === path) {
      await symlink(s.outside, s.path('inner'));
      await symlink('inner/secret.md', s.path(path));
      await writeFile(s.secretPath, content(s.secret));
    } else {
      const elsewhere = join(s.outside, 'elsewhere');
      await mkdir(dirname(join(elsewhere, path)), { recursive: true });
      await writeFile(join(elsewhere, path), content(s.secret));
      await symlink(join(elsewhere, first), s.path(first));
    }
    await s.say(say);
    expect(s.isSecretTold).toBe(false);
  });

  it('control: follows links that stay in the folder', async () => {
    const s = await AgentScene.create({
      files: ({ secret }) => ({ 'docs/real.md': content(secret) }),
    });
    await mkdir(dirname(s.path(path)), { recursive: true });
    await symlink(s.path('docs/real.md'), s.path(path));
    await s.say(say);
    expect(s.isSecretTold).toBe(true);
  });

  it('does nothing: an endless file, a pipe, a huge file', async () => {
    for (const make of [
      (at: string) => symlink('/dev/zero', at),
      (at: string) => Promise.resolve(void execFileSync('mkfifo', [at])),
      async (at: string) => {
        const file = await open(at, 'w');
        await file.truncate(1024 ** 3).finally(() => file.close());
      },
    ]) {
      const s = await AgentScene.create({});
      await mkdir(dirname(s.path(path)), { recursive: true });
      await make(s.path(path));
      await s.say('hello');
      expect(JSON.stringify(s.agent.demo.requests).length).toBeLessThan(200_000);
    }
  });
});

describe('what names another file', () => {
  const others: readonly { what: string; files: (bait: AgentBait) => FileTree; say?: string }[] = [
    { what: 'SYSTEM.md with a path', files: (bait) => ({ '.pi/SYSTEM.md': bait.secretPath }) },
    {
      what: 'APPEND_SYSTEM.md with a path',
      files: (bait) => ({ '.pi/APPEND_SYSTEM.md': bait.secretPath }),
    },
    {
      what: 'skills in the settings',
      files: ({ outside }) => ({ '.pi/settings.json': { skills: [outside] } }),
    },
    {
      what: 'prompts in the settings',
      files: ({ outside }) => ({ '.pi/settings.json': { prompts: [outside] } }),
      say: '/secret',
    },
    {
      what: 'settings that are a link',
      files: ({ outside }) => ({ '.pi/settings.json': new Link(join(outside, 'settings.json')) }),
    },
  ];

  it.each(others)('does nothing: $what', async ({ files, say = 'hello' }) => {
    const s = await AgentScene.create({ files });
    await writeFile(s.secretPath, skill(s.secret));
    await writeFile(join(s.outside, 'settings.json'), JSON.stringify({ skills: [s.outside] }));
    await s.say(say);
    expect(s.isSecretTold).toBe(false);
  });

  it('says in the log what was not taken, by name alone', async () => {
    const s = await AgentScene.create({
      files: ({ secret, secretPath }) => ({
        '.pi/settings.json': { shellPath: secret, theme: 'dark', defaultModel: secret },
        'AGENTS.md': new Link(secretPath),
      }),
    });
    await s.say('hello');
    const log = s.agent.logged.join('\n');
    expect(log).toContain('as no folder may set it: "defaultModel", "shellPath"');
    expect(log).toContain(`${s.path('AGENTS.md')} leads out of the folder, to ${s.secretPath}.`);
    expect(log).not.toContain(s.secret);
  });

  it('control: the same settings of the user', async () => {
    const s = await AgentScene.create({});
    await writeFile(s.secretPath, skill(s.secret));
    const settings = JSON.stringify({ skills: [s.outside] });
    await writeFile(join(s.agent.agentDir, 'settings.json'), settings);
    await s.say('hello');
    expect(s.isSecretTold).toBe(true);
  });
});

it('does nothing: a skill whose file is replaced after it was read', async () => {
  const s = await AgentScene.create({
    files: () => ({ '.pi/skills/gift/SKILL.md': skill('harmless') }),
  });
  await s.say('hello');
  await rm(s.path('.pi/skills/gift/SKILL.md'));
  await symlink(s.secretPath, s.path('.pi/skills/gift/SKILL.md'));
  await s.say('/skill:gift');
  expect(s.isSecretTold).toBe(false);
  expect(JSON.stringify(s.agent.demo.requests.at(-1))).toContain('harmless');
});

it("takes the user's own files in Restricted Mode, links and all", async () => {
  const s = await AgentScene.create({ isTrusted: false });
  await symlink(s.secretPath, join(s.agent.agentDir, 'AGENTS.md'));
  await s.say('hello');
  expect(s.isSecretTold).toBe(true);
});
