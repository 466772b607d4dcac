/** Skills and prompts that a trusted folder offers, in the places in which Pi looks for them. */
import { access } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { asObject, asString, type JsonObject } from '../../base/json.js';
import { type FolderFiles, foldersFrom } from './folderFiles.js';
import type { PiModule, PiPrompt, PiSkill } from './piModule.js';

/** The text is kept, so that what is used later is what was read. */
export interface FolderSkill extends PiSkill {
  readonly body: string;
}

/** The first of a name counts. */
export async function readFolderSkills(
  pi: PiModule,
  files: FolderFiles,
  { cwd, homeDir }: { readonly cwd: string; readonly homeDir: string },
): Promise<readonly FolderSkill[]> {
  const ofUser = resolve(homeDir, '.agents', 'skills');
  const skills = new Map<string, FolderSkill>();
  const add = async (folder: string, directory: string, accepts: (depth: number) => boolean) => {
    for (const path of await files.findSkills(folder, directory, accepts)) {
      const text = await files.read(folder, path);
      const skill = text === undefined ? undefined : parseSkill(pi, path, text);
      if (skill && !skills.has(skill.name)) {
        skills.set(skill.name, skill);
      }
    }
  };
  await add(cwd, join(cwd, '.pi', 'skills'), (depth) => depth === 0);
  for (const folder of await foldersOfRepository(cwd)) {
    const directory = join(folder, '.agents', 'skills');
    if (directory !== ofUser) {
      await add(folder, directory, (depth) => depth > 0);
    }
  }
  return [...skills.values()];
}

export async function readFolderPrompts(
  pi: PiModule,
  files: FolderFiles,
  cwd: string,
): Promise<readonly PiPrompt[]> {
  const prompts: PiPrompt[] = [];
  for (const { path, isDirectory } of await files.list(cwd, join(cwd, '.pi', 'prompts'))) {
    const text = !isDirectory && path.endsWith('.md') ? await files.read(cwd, path) : undefined;
    const parsed = text === undefined ? undefined : parseMarkdown(pi, text);
    if (parsed) {
      const { fields, body } = parsed;
      const hint = fields['argument-hint'];
      prompts.push({
        name: basename(path, '.md'),
        description: textOf(fields.description) || firstLine(body),
        argumentHint: asString(hint),
        content: body,
        sourceInfo: sourceInfo(path),
        filePath: path,
      });
    }
  }
  return prompts;
}

/** What `/skill:name arguments` stands for; `undefined`: the text names none of the skills. */
export function expandSkill(skills: readonly FolderSkill[], text: string): string | undefined {
  const [command = '', ...words] = text.split(' ');
  const skill = skills.find(({ name }) => command === `/skill:${name}`);
  if (!skill) {
    return undefined;
  }
  const { name, filePath, baseDir, body } = skill;
  const block = `<skill name="${name}" location="${filePath}">\nReferences are relative to ${baseDir}.\n\n${body}\n</skill>`;
  const args = words.join(' ').trim();
  return args ? `${block}\n\n${args}` : block;
}

function parseSkill(pi: PiModule, path: string, text: string): FolderSkill | undefined {
  const parsed = parseMarkdown(pi, text);
  const description = textOf(parsed?.fields.description);
  if (!parsed || description.trim() === '') {
    return undefined;
  }
  const { fields, body } = parsed;
  return {
    name: textOf(fields.name) || basename(dirname(path)),
    description,
    filePath: path,
    baseDir: dirname(path),
    sourceInfo: sourceInfo(path),
    disableModelInvocation: fields['disable-model-invocation'] === true,
    body: body.trim(),
  };
}

function parseMarkdown(
  pi: PiModule,
  text: string,
): { readonly fields: JsonObject; readonly body: string } | undefined {
  try {
    const { frontmatter, body } = pi.parseFrontmatter(text);
    return { fields: asObject(frontmatter), body };
  } catch {
    // its author sees that it is missing
    return undefined;
  }
}

/** As Pi shortens it. */
function firstLine(body: string): string {
  const line = body.split('\n').find((candidate) => candidate.trim() !== '') ?? '';
  return line.length > 60 ? `${line.slice(0, 60)}...` : line;
}

function sourceInfo(path: string): PiSkill['sourceInfo'] {
  return { path, source: 'local', scope: 'project', origin: 'top-level', baseDir: dirname(path) };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** From the folder up to the root of its repository; to the top where there is none, as Pi does. */
async function foldersOfRepository(cwd: string): Promise<readonly string[]> {
  const folders: string[] = [];
  for (const folder of foldersFrom(cwd)) {
    folders.push(folder);
    const isRoot = await access(join(folder, '.git')).then(
      () => true,
      () => false,
    );
    if (isRoot) {
      break;
    }
  }
  return folders;
}
