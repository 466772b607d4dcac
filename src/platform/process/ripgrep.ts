/** ripgrep, which editors bring along: lists and searches files. No settings of a user or folder have a say in it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { foldersOnPath } from '../executable.js';

export interface RipgrepPlaces {
  /** Absolute; root of the editor. */
  readonly appRoot?: string | undefined;
  /** Value of PATH, for an editor that has none. */
  readonly path?: string | undefined;
}

/** @returns its absolute path; `undefined`: there is none */
export function findRipgrep(
  { appRoot, path = '' }: RipgrepPlaces,
  { platform, arch }: Pick<NodeJS.Process, 'platform' | 'arch'> = process,
): string | undefined {
  const name = platform === 'win32' ? 'rg.exe' : 'rg';
  const folders = [
    ...(appRoot === undefined
      ? []
      : ['node_modules', 'node_modules.asar.unpacked'].flatMap((modules) => [
          join(appRoot, modules, '@vscode', 'ripgrep-universal', 'bin', `${platform}-${arch}`),
          join(appRoot, modules, '@vscode', 'ripgrep', 'bin'),
        ])),
    // a relative one would lead into the folder that is searched
    ...foldersOnPath(path, platform).filter(isAbsolute),
  ];
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // absent or not executable
    return false;
  }
}

/** What each run is given: hidden files too, and ignore files also where there is no repository. */
const flags = ['--no-config', '--hidden', '--no-require-git', '--null', '--no-messages'];

/** Characters of an error that are kept. */
const maxErrorLength = 2_000;

/** A line that ends nowhere is cut there; characters. */
const maxRestLength = 65_536;

interface RipgrepRun {
  readonly program: string;
  /** Absolute. */
  readonly folder: string;
  readonly args: readonly string[];
  /** What parts the output. */
  readonly separator: string;
  readonly signal?: AbortSignal | undefined;
  /** @returns false when no more is wanted */
  readonly take: (part: string) => boolean;
}

/** @throws when it cannot be run, or says that it failed */
async function runRipgrep(run: RipgrepRun): Promise<void> {
  const { SystemRoot } = process.env;
  const child: ChildProcess = spawn(run.program, [...flags, ...run.args], {
    cwd: run.folder,
    env: SystemRoot === undefined ? {} : { SystemRoot },
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
    signal: run.signal,
  });
  await new Promise<void>((resolve, reject) => {
    let rest = '';
    let problem = '';
    let isEnough = false;
    child.on('error', reject);
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      problem = (problem + text).slice(0, maxErrorLength);
    });
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      const parts = (rest + text).split(run.separator);
      rest = (parts.pop() ?? '').slice(0, maxRestLength);
      isEnough ||= !parts.every((part) => run.take(part));
      if (isEnough) {
        child.kill();
      }
    });
    child.on('close', (code) => {
      // 1: found nothing; 2: some folder could not be read, or with words an error
      if (!isEnough && code !== null && code > 1 && (code > 2 || problem !== '')) {
        reject(new Error(problem.trim() || `ripgrep ended with ${code}`));
      } else {
        resolve();
      }
    });
  });
}

export interface FileListing {
  /** Absolute. */
  readonly folder: string;
  /** Patterns of what is left out, beside what ignore files name. */
  readonly excluded: readonly string[];
  /** Pattern of what is listed, and be it named by an ignore file. Default: every file. */
  readonly included?: string;
  /** Files after which it ends. */
  readonly limit: number;
  readonly signal?: AbortSignal | undefined;
}

/** Characters of a path that a list has. */
const maxPathLength = 4_096;

/**
 * Lists the files below a folder, without links, as its ignore files want it.
 * @returns paths relative to the folder, with `/`
 * @throws when it cannot be run
 */
export async function listFiles(
  program: string,
  { folder, excluded, included, limit, signal }: FileListing,
): Promise<readonly string[]> {
  const globs = ['.git', ...excluded].map((pattern) => `--glob=!${pattern}`);
  const wanted = included === undefined ? [] : [`--glob=${included.replace(/^!/, '\\!')}`];
  const files: string[] = [];
  await runRipgrep({
    program,
    folder,
    args: ['--files', ...wanted, ...globs, '--', '.'],
    separator: '\0',
    signal,
    take: (path) => {
      if (path.length <= maxPathLength) {
        files.push(path.replaceAll('\\', '/').replace(/^\.\//, ''));
      }
      return files.length < limit;
    },
  });
  return files;
}

export interface TextSearch {
  /** Absolute; where `path` begins. */
  readonly folder: string;
  /** Relative: what is searched. */
  readonly path: string;
  /** An expression of Rust's `regex`, or with `isLiteral` a text. */
  readonly pattern: string;
  readonly isLiteral: boolean;
  readonly ignoresCase: boolean;
  /** Pattern of the files that are searched. Default: all. */
  readonly glob?: string | undefined;
  /** Lines before and after. */
  readonly context: number;
  /** Lines that fit after which it ends. */
  readonly limit: number;
  readonly signal?: AbortSignal | undefined;
}

export interface FoundLine {
  /** Relative, with `/`. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** Without its end; cut after 500 characters. */
  readonly text: string;
  /** False: it is shown beside one that fits. */
  readonly isMatch: boolean;
}

/** Of a line that is found. */
const maxColumns = 500;

/**
 * Searches without following links.
 * @returns `isCut`: there is more
 * @throws when it cannot be run, or the pattern is none
 */
export async function searchText(
  program: string,
  { folder, path, pattern, isLiteral, ignoresCase, glob, context, limit, signal }: TextSearch,
): Promise<{ readonly lines: readonly FoundLine[]; readonly isCut: boolean }> {
  const lines: FoundLine[] = [];
  let matches = 0;
  let isCut = false;
  await runRipgrep({
    program,
    folder,
    args: [
      ...['--line-number', '--with-filename', '--no-heading', '--color=never'],
      ...[`--max-columns=${maxColumns}`, '--max-columns-preview', `--context=${context}`],
      ...(isLiteral ? ['--fixed-strings'] : []),
      ...(ignoresCase ? ['--ignore-case'] : []),
      ...(glob === undefined ? [] : [`--glob=${glob}`]),
      ...['--glob=!.git', '--', pattern, path],
    ],
    separator: '\n',
    signal,
    take: (row) => {
      const line = readLine(row);
      isCut = line?.isMatch === true && ++matches > limit;
      if (line && !isCut) {
        lines.push(line);
      }
      return !isCut;
    },
  });
  return { lines, isCut };
}

/** @param row `path`, NUL, number, `:` or `-`, text; or what parts two places */
function readLine(row: string): FoundLine | undefined {
  const end = row.indexOf('\0');
  const found = /^(\d+)([:-])(.*)$/s.exec(row.slice(end + 1));
  return end === -1 || !found
    ? undefined
    : {
        path: row.slice(0, end).replaceAll('\\', '/').replace(/^\.\//, ''),
        line: Number(found[1]),
        text: (found[3] ?? '').replace(/\r$/, '').slice(0, maxColumns),
        isMatch: found[2] === ':',
      };
}
