import * as l10n from '@vscode/l10n';
import { isJsonObject } from '../../base/json.js';
import type { NewServer } from '../../config/configuration.js';
import {
  isRemote,
  readAssignment,
  readHeader,
  serverOfParts,
} from '../../config/paste/addedServer.js';
import { refuseOptions, usageError, type WrittenLine } from './readOptions.js';

/**
 * The server that `add` describes.
 * @param words name, then a command line or an address
 * @throws {HumanError} with code `usage`.
 */
export function addedServer(words: readonly string[], line: WrittenLine): NewServer {
  const [name = '', target = '', ...args] = words;
  const transport = line.text('transport');
  const env = pairs(line.all('env'), readAssignment, (text) =>
    l10n.t('"{0}" takes {1}, not "{2}".', '-e', 'KEY=value', text),
  );
  const headers = pairs(line.all('header'), readHeader, (text) =>
    l10n.t('"{0}" takes {1}, not "{2}".', '-H', "'Name: value'", text),
  );
  const remote = isRemote({ target, transport });
  refuseOptions(line, remote ? 'add NAME URL' : 'add NAME COMMAND', [remote ? 'env' : 'header']);
  if (remote && args.length > 0) {
    const count = words.length;
    throw usageError(l10n.t('The command "{0}" got {1} arguments.', 'add NAME URL', count), 'add');
  }
  return serverOfParts({ name, target, args, transport, env, headers });
}

/** @throws {HumanError} with code `usage`. */
export function jsonServer(name: string, text: string): NewServer {
  let entry: unknown;
  try {
    entry = JSON.parse(text);
  } catch {
    // the check below says what is wrong
  }
  if (!isJsonObject(entry)) {
    throw usageError(l10n.t('The entry of a server must be a JSON object.'), 'add-json');
  }
  return { name, entry };
}

function pairs(
  texts: readonly string[],
  read: (text: string) => readonly [string, string] | undefined,
  complaint: (text: string) => string,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    texts.map((text) => {
      const pair = read(text);
      if (!pair) {
        // what stands behind the name may be a secret
        throw usageError(complaint(text.split(/[=:]/, 1)[0] ?? ''), 'add');
      }
      return pair;
    }),
  );
}
