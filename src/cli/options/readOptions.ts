import { parseArgs } from 'node:util';
import * as l10n from '@vscode/l10n';
import { errorMessage, HumanError } from '../../base/errors.js';
import { isUrl } from '../../config/paste/addedServer.js';
import { type CommandName, commandSpec } from './commandTable.js';
import {
  cliOptions,
  commonOptions,
  longNames,
  type OptionName,
  optionNamed,
  optionOf,
} from './optionTable.js';

/** What was written behind the name of the program. */
export interface WrittenLine {
  readonly words: readonly string[];
  text(name: OptionName): string | undefined;
  /** Of an option that may be repeated. */
  all(name: OptionName): readonly string[];
  has(name: OptionName): boolean;
}

/** @throws {HumanError} with code `usage`. */
export function readLine(argv: readonly string[]): WrittenLine {
  const { values, positionals } = parse(argv);
  const all = (name: OptionName): readonly string[] =>
    [values[name] ?? []].flat().filter((value) => typeof value === 'string');
  return {
    words: positionals,
    text: (name) => all(name).at(-1),
    all,
    has: (name) => values[name] !== undefined,
  };
}

/** @throws {HumanError} with code `usage` for an option that the command does not take, or a value that it has not. */
export function assertOptions(line: WrittenLine, command: CommandName): void {
  const known: readonly OptionName[] = [...commandSpec(command).options, ...commonOptions];
  for (const name of Object.keys(cliOptions) as OptionName[]) {
    if (line.has(name) && !known.includes(name)) {
      throw usageError(l10n.t('The command "{0}" has no option "--{1}".', command, name), command);
    }
    const { choices } = optionOf(name);
    const value = line.text(name);
    if (choices && value !== undefined && !choices.includes(value)) {
      const list = choices.join(', ');
      throw usageError(l10n.t('"{0}" takes {1}, not "{2}".', `--${name}`, list, value), command);
    }
  }
}

export function usageError(message: string, command?: CommandName): HumanError {
  const help = command === undefined ? 'pi-mcp --help' : `pi-mcp ${command} --help`;
  return new HumanError('usage', message, { remedy: l10n.t('See "{0}".', help) });
}

/**
 * A command line that stands behind a name needs no `--` in front of it: its own options belong to it. Behind an address
 * come more options of ours.
 */
export function separateCommandLine(argv: readonly string[]): readonly string[] {
  let words = 0;
  for (const [index, word] of argv.entries()) {
    if (word === '--') {
      return argv;
    }
    const option = optionNamed(word);
    const isValue = index > 0 && takesNext(argv[index - 1] ?? '');
    if (option || word.startsWith('-') || isValue) {
      continue;
    }
    words++;
    // the name of our command, that of the server, and its program
    if (words === 3) {
      return isUrl(word) || argv[index + 1] === '--'
        ? argv
        : [...argv.slice(0, index + 1), '--', ...argv.slice(index + 1)];
    }
  }
  return argv;
}

function takesNext(word: string): boolean {
  const option = optionNamed(word);
  return option !== undefined && optionOf(option).type === 'string' && !word.includes('=');
}

/** With our names for all options; what stands behind `--` belongs to somebody else. */
function withoutAliases(argv: readonly string[]): string[] {
  const end = argv.indexOf('--');
  return argv.map((word, index) => {
    const name = end >= 0 && index >= end ? undefined : optionNamed(word);
    const written = name && longNames(name).find((one) => word.startsWith(`--${one}`));
    return name && written ? `--${name}${word.slice(written.length + 2)}` : word;
  });
}

function parse(argv: readonly string[]) {
  const options = Object.fromEntries(
    (Object.keys(cliOptions) as OptionName[]).map((name) => {
      const { type, short, multiple = false } = optionOf(name);
      // the parser refuses a key without a value
      return [name, { type, multiple, ...(short !== undefined && { short }) }];
    }),
  );
  try {
    return parseArgs({ args: withoutAliases(argv), allowPositionals: true, options });
  } catch (error) {
    // what follows the first sentence is about other programs
    const [sentence = ''] = errorMessage(error).split('. ', 1);
    throw usageError(`${sentence.replace(/\.$/, '')}.`);
  }
}
