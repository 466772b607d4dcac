import { resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
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
    remedy: l10n.t('Give it with "--input NAME=VALUE" or "--input-file FILE".'),
    resolve: async (_poolId, inputId) => values.get(inputId),
  };
}

type InputFlags = Pick<CliFlags, 'inputs' | 'inputFile'>;

/** By name. @throws {HumanError} with code `usage`. */
export async function readValues(
  { inputs, inputFile }: InputFlags,
  cwd: string,
): Promise<ReadonlyMap<string, string>> {
  const lines = inputFile === undefined ? [] : await readLines(resolve(cwd, inputFile));
  return new Map([...lines, ...inputs].map(parseInput));
}

async function readLines(path: string): Promise<readonly string[]> {
  try {
    const text = await readTextFile(path, maxFileBytes);
    return text.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.startsWith('#'));
  } catch (error) {
    throw usageError(l10n.t('The file "{0}" cannot be read: {1}', path, errorMessage(error)));
  }
}

function parseInput(text: string): readonly [name: string, value: string] {
  const at = text.indexOf('=');
  if (at < 1) {
    // the text may be a secret
    throw usageError(l10n.t('An input is written as NAME=VALUE.'));
  }
  return [text.slice(0, at).trim(), text.slice(at + 1)];
}
