/**
 * The instructions, skills and prompts that Pi takes from the user and, in a trusted folder, from the folder. Pi itself
 * would read them without a bound and through every link.
 */
import { basename, dirname, join, resolve, sep } from 'node:path';
import { type FolderExtensions, readFolderExtensions } from './folderExtensions.js';
import { FolderFiles, foldersFrom } from './folderFiles.js';
import { type FolderSkill, readFolderPrompts, readFolderSkills } from './folderSkills.js';
import type { PiModule, PiPrompt } from './piModule.js';

interface ContextFile {
  readonly path: string;
  readonly content: string;
}

export interface FolderResources {
  readonly contextFiles: readonly ContextFile[];
  readonly systemPrompt?: string | undefined;
  readonly appendSystemPrompt?: string | undefined;
  readonly skills: readonly FolderSkill[];
  readonly prompts: readonly PiPrompt[];
  /** Absent when the folder has none. */
  readonly extensions?: FolderExtensions | undefined;
  /** What was there and not taken, one sentence each. */
  readonly refused: readonly string[];
}

export interface ResourcePlaces {
  readonly cwd: string;
  readonly agentDir: string;
  readonly homeDir: string;
  /** Nothing of the folder is taken when it is false. */
  readonly isFolderTrusted: boolean;
}

/** As Pi looks for them; the first that can be read counts. */
const contextNames = ['AGENTS.override.md', 'AGENTS.md', 'AGENTS.MD', 'CLAUDE.md', 'CLAUDE.MD'];

export async function readFolderResources(
  pi: PiModule,
  places: ResourcePlaces,
): Promise<FolderResources> {
  const { cwd, agentDir, isFolderTrusted } = places;
  const files = new FolderFiles();
  const read = async (name: string) =>
    (isFolderTrusted ? await files.read(cwd, join(cwd, '.pi', name)) : undefined) ??
    (await files.readOwn(join(agentDir, name)));
  const own = await firstContextFile(agentDir, (path) => files.readOwn(path));
  return {
    contextFiles: [
      ...(own ? [own] : []),
      ...(isFolderTrusted ? await folderContextFiles(files, cwd, agentDir) : []),
    ],
    systemPrompt: await read('SYSTEM.md'),
    appendSystemPrompt: await read('APPEND_SYSTEM.md'),
    skills: isFolderTrusted ? await readFolderSkills(pi, files, places) : [],
    prompts: isFolderTrusted ? await readFolderPrompts(pi, files, cwd) : [],
    extensions: isFolderTrusted ? await readFolderExtensions(files, cwd) : undefined,
    refused: files.refused,
  };
}

async function firstContextFile(
  directory: string,
  read: (path: string) => Promise<string | undefined>,
): Promise<ContextFile | undefined> {
  for (const path of contextNames.map((name) => join(directory, name))) {
    const content = await read(path);
    if (content !== undefined) {
      return { path, content };
    }
  }
  return undefined;
}

/** Outermost first. A folder above is a boundary of its own: its file may not lead out of it either. */
async function folderContextFiles(
  files: FolderFiles,
  cwd: string,
  agentDir: string,
): Promise<readonly ContextFile[]> {
  const shadowing = await mainWorktree(cwd);
  const found: ContextFile[] = [];
  for (const directory of foldersFrom(cwd)) {
    const file = await firstContextFile(directory, (path) => files.read(directory, path));
    const isTwice =
      directory === resolve(agentDir) ||
      (directory === shadowing && found.some(({ path }) => isNameOf(path, file?.path)));
    if (file && !isTwice) {
      found.unshift(file);
    }
  }
  return found;
}

function isNameOf(path: string, other: string | undefined): boolean {
  return other !== undefined && basename(path) === basename(other);
}

/** The repository that a worktree inside of it belongs to: both hold the same files. */
async function mainWorktree(cwd: string): Promise<string | undefined> {
  for (const directory of foldersFrom(cwd)) {
    const link = await new FolderFiles().read(directory, join(directory, '.git'));
    const gitDir = link?.startsWith('gitdir:') ? resolve(directory, link.slice(7).trim()) : '';
    const common = dirname(dirname(gitDir));
    if (basename(dirname(gitDir)) === 'worktrees' && basename(common) === '.git') {
      const main = dirname(common);
      return directory.startsWith(main + sep) ? main : undefined;
    }
  }
  return undefined;
}
