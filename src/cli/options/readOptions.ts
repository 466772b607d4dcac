import { parseArgs } from 'node:util';
import { errorMessage, HumanError } from '../../base/errors.js';
import { isUrl } from '../../config/paste/addedServer.js';
import { type CommandName, commandSpec, isCommand } from './commandTable.js';
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
    if (!known.includes(name)) {
      refuseOptions(line, command, [name]);
    }
    const { choices } = optionOf(name);
    const value = line.text(name);
    if (choices && value !== undefined && !choices.includes(value)) {
      throw wrongValue(`--${name}`, choices.join(', '), value, command);
    }
  }
}

/** @param form the command as it is used here */
export function refuseOptions(line: WrittenLine, form: string, names: readonly OptionName[]): void {
  const name = names.find((one) => line.has(one));
  if (name !== undefined) {
    const [command = ''] = form.split(' ');
    throw usageError(
      `The command "${form}" has no option "--${name}".`,
      isCommand(command) ? command : undefined,
    );
  }
}

export function wrongValue(
  of: string,
  known: string,
  value: string,
  command?: CommandName,
): HumanError {
  return usageError(`"${of}" takes ${known}, not "${value}".`, command);
}

/** @param form how the command is written. Default: as its help says */
export function wrongCount(
  command: CommandName,
  isTooFew: boolean,
  form: string = commandSpec(command).syntax,
): HumanError {
  const line = `pi-mcp ${command} ${form}`.trim();
  const count = isTooFew ? 'Too few' : 'Too many';
  return usageError(`${count} words: the command is "${line}".`, command);
}

export function usageError(message: string, command?: CommandName): HumanError {
  const help = command === undefined ? 'pi-mcp --help' : `pi-mcp ${command} --help`;
  return new HumanError('usage', message, { remedy: `See "${help}".` });
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
    if (word.startsWith('-') || isValue(argv, index)) {
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

/** The command of a line that may not be finished: what an option takes may have the name of one. */
export function commandIn(words: readonly string[]): CommandName | undefined {
  return words.filter((_word, index) => !isValue(words, index)).find(isCommand);
}

function isValue(words: readonly string[], index: number): boolean {
  return optionBefore(words.slice(0, index)) !== undefined;
}

/** The option whose value comes next. */
export function optionBefore(words: readonly string[]): OptionName | undefined {
  const last = words.at(-1) ?? '';
  const option = optionNamed(last);
  return option && optionOf(option).type === 'string' && !last.includes('=') ? option : undefined;
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
