import { resolve } from 'node:path';
import { errorMessage } from '../base/errors.js';
import type { InputResolver } from '../config/ports.js';
import { readTextFile } from '../platform/boundedFile.js';
import type { CliFlags } from './arguments.js';
import { usageError } from './options/readOptions.js';

const maxFileBytes = 1024 * 1024;

/**
 * Gives servers what `--input-file` and, before it, `--input` say of their `${input:id}`.
 * @throws {HumanError} with code `usage`.
 */
export async function readInputs(flags: InputFlags, cwd: string): Promise<InputResolver> {
  const values = await readValues(flags, cwd);
  return {
    remedy: 'Give it with "--input NAME=VALUE" or "--input-file FILE".',
    resolve: async (_poolId, inputId) => values.get(inputId),
  };
}

type InputFlags = Pick<CliFlags, 'inputs' | 'inputFile'>;

/** By name. @throws {HumanError} with code `usage`. */
export async function readValues(
  { inputs, inputFile }: InputFlags,
  cwd: string,
): Promise<ReadonlyMap<string, string>> {
  const ofFile = inputFile === undefined ? [] : await readLines(resolve(cwd, inputFile));
  return new Map([...ofFile, ...inputs.map((text) => parseInput(text, '--input'))]);
}

type Input = readonly [name: string, value: string];

async function readLines(path: string): Promise<readonly Input[]> {
  const lines = (await readNamedFile(path, maxFileBytes)).split(/\r?\n/);
  return lines.flatMap((line, index) =>
    line.trim() === '' || line.startsWith('#') ? [] : [parseInput(line, `${path}:${index + 1}`)],
  );
}

/** Of a file that the command line names. @throws {HumanError} with code `usage`. */
export async function readNamedFile(path: string, maxBytes: number): Promise<string> {
  try {
    return await readTextFile(path, maxBytes);
  } catch (error) {
    throw usageError(`${path} cannot be read: ${errorMessage(error)}`);
  }
}

/** @param place where it is written: the text itself may be a secret */
function parseInput(text: string, place: string): Input {
  const at = text.indexOf('=');
  if (at < 1) {
    throw usageError(`${place}: an input is written as NAME=VALUE.`);
  }
  return [text.slice(0, at).trim(), text.slice(at + 1)];
}
