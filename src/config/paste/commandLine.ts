import { isHumanError } from '../../base/errors.js';
import { defined, type JsonObject } from '../../base/json.js';
import { isContainerClient } from '../lint/packageSpec.js';
import { type PasteWish, readAssignment } from './addedServer.js';
import { shellWords } from './shellWords.js';

interface ReadCommand {
  readonly words: readonly string[];
  /** `undefined`: it is only words. */
  readonly command: JsonObject | undefined;
  /** Its first word says so. */
  readonly hasToBe: boolean;
}

/** With words behind them they are commands, and by themselves something to look for. */
const programs = new Set(
  `npx bunx uvx uv pipx pnpm yarn npm bun dnx node deno tsx python python3 py java dotnet go cargo ruby
  php perl sh bash zsh cmd powershell pwsh wsl env code claude`.split(/\s+/),
);

/** @throws {HumanError} when it is a command that only a shell understands. */
export function readCommand(line: string, wish: PasteWish | undefined): ReadCommand {
  const plain = line.replace(/^[$>](?=\s)/, ' ');
  let words: string[];
  try {
    words = shellWords(plain);
  } catch (error) {
    const isMeant = wish !== 'search' && (wish === 'command' || isOfShell(plain));
    if (isMeant || !isHumanError(error)) {
      throw error;
    }
    return { words: [], command: undefined, hasToBe: false };
  }
  const given = [...words];
  const env: Record<string, string> = {};
  for (let pair = readAssignment(words[0] ?? ''); pair; pair = readAssignment(words[0] ?? '')) {
    env[pair[0]] = pair[1];
    words.shift();
  }
  const hasEnv = Object.keys(env).length > 0;
  const [command = '', ...args] = words;
  const hasToBe = isProgram(command, args);
  const isMeant =
    hasToBe || hasEnv || plain !== line || looksLikeArguments(args) || isFile(command);
  const isCommand = wish === undefined ? isMeant : wish === 'command';
  return {
    words: given,
    command:
      isCommand && command !== ''
        ? defined({ command, args, env: hasEnv ? env : undefined })
        : undefined,
    hasToBe,
  };
}

/** What no shell can read: words, unless they begin as a command does. */
function isOfShell(line: string): boolean {
  const [first = '', ...rest] = line.trim().split(/\s+/);
  return /[|<>`;]|&&|\$\(|\$\{/.test(line) || isProgram(first, rest) || isFile(first);
}

function isProgram(command: string, args: readonly string[]): boolean {
  const name = command.replace(/^.*[\\/]|\.(?:exe|cmd)$/gis, '').toLowerCase();
  return args.length > 0 && (programs.has(name) || isContainerClient(name));
}

function isFile(command: string): boolean {
  return (
    /^(?:\.{0,2}[\\/]|~[\\/]|[A-Za-z]:[\\/])./.test(command) ||
    /\.(?:exe|cmd|bat|ps1|sh|[cm]?[jt]s|py|jar)$/i.test(command)
  );
}

/** Nobody looks for such words. */
function looksLikeArguments(args: readonly string[]): boolean {
  const last = args.at(-1) ?? '';
  return (
    last === 'stdio' ||
    last === 'serve' ||
    args.some((arg) => /^--?[A-Za-z]/.test(arg) || arg.includes('://'))
  );
}
