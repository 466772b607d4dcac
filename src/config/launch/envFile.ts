/** The file of `envFile`: lines of `NAME=value`, as other programs read them. */
import { hash } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import { errorCode, HumanError, isHumanError } from '../../base/errors.js';
import { readTextFile } from '../../platform/boundedFile.js';

/** Bytes. */
const maxEnvFileBytes = 64 * 1024;
/** More are no settings of a server, and nobody could review their names. */
const maxVariables = 200;

/** What of a file is consented to: values are in the digest alone. */
interface EnvFileContent {
  /** In the order of the file, each once. */
  readonly names: readonly string[];
  readonly digest: string;
}

export interface EnvFile extends EnvFileContent {
  readonly values: Readonly<Record<string, string>>;
}

/**
 * Values as written: no variable is filled in, and nothing is run. What is no assignment, such as a comment, is passed over.
 * @throws {HumanError} when there are too many.
 */
export function parseEnvFile(text: string): EnvFile {
  const found = text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .flatMap((line) => {
      const assignment = parseLine(line);
      return assignment ? [assignment] : [];
    });
  const values = Object.fromEntries(found);
  const names = Object.keys(values);
  if (names.length > maxVariables) {
    throw new HumanError(
      'env_file',
      l10n.t('"{0}" is too long: {1}, at most {2}.', 'envFile', names.length, maxVariables),
      { remedy: l10n.t('Name those that the server needs in a file of their own, or in "env".') },
    );
  }
  return { values, names, digest: hash('sha256', text) };
}

/** @throws {HumanError} that names the path. */
export async function readEnvFile(path: string): Promise<EnvFile> {
  try {
    return parseEnvFile(await readTextFile(path, maxEnvFileBytes));
  } catch (error) {
    if (isHumanError(error) && error.code === 'env_file') {
      throw error;
    }
    const reason = isHumanError(error) ? error.message : (errorCode(error) ?? '');
    throw new HumanError('env_file', l10n.t('{0} cannot be read: {1}', path, reason), {
      remedy: l10n.t('Create it, or correct "{0}".', 'envFile'),
    });
  }
}

function parseLine(line: string): readonly [string, string] | undefined {
  const text = line.trim();
  const equals = text.indexOf('=');
  if (equals === -1) {
    return undefined;
  }
  const name = text
    .slice(0, equals)
    .replace(/^export[ \t]+/, '')
    .trim();
  return /^[A-Za-z_][A-Za-z0-9_.-]*$/.test(name)
    ? [name, parseValue(text.slice(equals + 1).trim())]
    : undefined;
}

function parseValue(text: string): string {
  const quote = text[0];
  const end = quote === undefined ? -1 : closingQuote(text, quote);
  if (end !== -1) {
    const inside = text.slice(1, end);
    return quote === '"'
      ? inside.replace(/\\([nrt"\\])/g, (_whole, letter: string) => escapes[letter] ?? letter)
      : inside;
  }
  const comment = text.search(/[ \t]#/);
  return comment === -1 ? text : text.slice(0, comment).trim();
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** -1 when the text is not quoted as a whole. */
function closingQuote(text: string, quote: string): number {
  if (quote !== '"' && quote !== "'" && quote !== '`') {
    return -1;
  }
  for (let at = 1; at < text.length; at++) {
    if (quote === '"' && text[at] === '\\') {
      at++;
    } else if (text[at] === quote) {
      return at;
    }
  }
  return -1;
}
