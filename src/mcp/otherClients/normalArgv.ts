/** Two ways to start one program, brought to one form. */
import { basename, isAbsolute, resolve } from 'node:path';
import { parseNpxCommand } from '../../platform/npx/npxCommand.js';

/** Options of Node.js whose value is an argument of its own. */
const valueOptions = new Set(['-r', '--require', '--import', '--loader', '--env-file', '-C']);
const scriptPrograms = new Set(['node', 'nodejs', 'bun']);
/** Arguments, and characters of one; more is compared no further. */
const limits = { args: 256, characters: 8192 };

/** What is asked of the machine, and only for a script. */
export interface ArgvPlaces {
  /** Absolute. `undefined`: relative paths stay as they are. */
  readonly workingDirectory: () => Promise<string | undefined>;
  /** Where links lead; the path itself where that is not known. */
  readonly realPath: (path: string) => Promise<string>;
}

/**
 * The same text for the same program with the same arguments: `npx` and `npm exec` meet, and `node` with the file that a
 * link in `.bin` leads to. Arguments are joined with spaces, since some systems list them so.
 * Empty when nothing is known.
 */
export async function normalArgv(argv: readonly string[], places: ArgvPlaces): Promise<string> {
  const { words, script } = readArgv(argv);
  if (script === undefined) {
    return words.join(' ');
  }
  const base = isAbsolute(script) ? undefined : await places.workingDirectory();
  const file = await places.realPath(base === undefined ? script : resolve(base, script));
  return ['node', file, ...words].join(' ');
}

/** @returns the words of the form; those behind the script, where Node.js runs one */
function readArgv(argv: readonly string[]): {
  readonly words: readonly string[];
  readonly script?: string;
} {
  const [command = '', ...args] = separate(argv)
    .slice(0, limits.args)
    .map((arg) => arg.slice(0, limits.characters));
  const program = programName(command);
  const npx = npxForm(program, args);
  if (command === '' || npx !== undefined) {
    return { words: npx === undefined ? [] : [npx] };
  }
  if (!scriptPrograms.has(program)) {
    return { words: [program, ...args] };
  }
  const at = scriptIndex(args);
  const script = args[at];
  const rest = args.slice(at + 1);
  return script === undefined ? { words: ['node', ...rest] } : { words: rest, script };
}

/** `/usr/bin/claude`, `claude.exe` and `claude.js` are `claude`. */
export function programName(path: string): string {
  return basename(path.replaceAll('\\', '/')).replace(/\.(?:exe|cmd|[cm]?js)$/i, '');
}

/** Program and arguments apart, also of a process that wrote a title of its own or is listed as one text. */
export function separate(argv: readonly string[]): readonly string[] {
  const [first = ''] = argv;
  return argv.length === 1 ? first.trim().split(/ +/) : argv;
}

/** What npm calls itself while it runs a package holds no `--`. */
function npxForm(program: string, args: readonly string[]): string | undefined {
  const isExec = program === 'npm' && (args[0] === 'exec' || args[0] === 'x');
  const request = isExec
    ? (parseNpxCommand('npm', args) ?? parseNpxCommand('npx', args.slice(1)))
    : parseNpxCommand(program, args);
  return request && ['npx', request.spec, request.binary ?? '', ...request.args].join(' ');
}

function scriptIndex(args: readonly string[]): number {
  let at = 0;
  while (args[at]?.startsWith('-') === true) {
    at += valueOptions.has(args[at] ?? '') ? 2 : 1;
  }
  return at;
}
