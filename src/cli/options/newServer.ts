import { type JsonObject, parseJsonObject } from '../../base/json.js';
import type { NewServer } from '../../config/configuration.js';
import {
  isRemote,
  readAssignment,
  readHeader,
  serverOfParts,
} from '../../config/paste/addedServer.js';
import type { CommandName } from './commandTable.js';
import {
  refuseOptions,
  usageError,
  type WrittenLine,
  wrongCount,
  wrongValue,
} from './readOptions.js';

/**
 * The server that `add` describes.
 * @param words name, then a command line or an address
 * @throws {HumanError} with code `usage`.
 */
export function addedServer(words: readonly string[], line: WrittenLine): NewServer {
  const [name = '', target = '', ...args] = words;
  const transport = line.text('transport');
  const env = pairs(line.all('env'), readAssignment, '-e', 'KEY=value');
  const headers = pairs(line.all('header'), readHeader, '-H', "'Name: value'");
  const remote = isRemote({ target, transport });
  refuseOptions(line, remote ? 'add NAME URL' : 'add NAME COMMAND', [remote ? 'env' : 'header']);
  if (remote && args.length > 0) {
    throw wrongCount('add', false, 'NAME URL');
  }
  return serverOfParts({ name, target, args, transport, env, headers });
}

/** @throws {HumanError} with code `usage`. */
export function parseObject(text: string, command: CommandName): JsonObject {
  const value = parseJsonObject(text);
  if (!value) {
    throw usageError('This is not a JSON object.', command);
  }
  return value;
}

function pairs(
  texts: readonly string[],
  read: (text: string) => readonly [string, string] | undefined,
  option: string,
  form: string,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    texts.map((text) => {
      const pair = read(text);
      if (!pair) {
        // what stands behind the name may be a secret
        throw wrongValue(option, form, text.split(/[=:]/, 1)[0] ?? '', 'add');
      }
      return pair;
    }),
  );
}
