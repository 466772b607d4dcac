import * as l10n from '@vscode/l10n';
import { parseJsonObject } from '../../base/json.js';
import { addAll } from '../../base/lists.js';
import {
  isUrl,
  noServer,
  type PastedServer,
  readAssignment,
  readHeader,
  serverOfParts,
} from './addedServer.js';

interface AddOptions {
  transport: string | undefined;
  readonly env: Record<string, string>;
  readonly headers: Record<string, string>;
  readonly rest: string[];
}

/** `claude mcp add …` and `claude mcp add-json …` as their own program reads them. @throws {HumanError} */
export function parseClaudeCommand(words: readonly string[]): PastedServer {
  const [verb, ...args] = words.slice(2);
  if (verb === 'add') {
    return parseAdd(args);
  }
  if (verb === 'add-json') {
    return parseAddJson(args);
  }
  throw noServer('paste_claude_verb');
}

function parseAdd(args: readonly string[]): PastedServer {
  const { transport, env, headers, rest } = readOptions(args);
  const [name, target, ...targetArgs] = rest;
  if (!name || !target) {
    throw noServer(
      'paste_incomplete',
      l10n.t(
        'It reads: {0}',
        'claude mcp add NAME COMMAND [ARGS] | claude mcp add --transport http NAME URL',
      ),
    );
  }
  return serverOfParts({ name, target, args: targetArgs, transport, env, headers });
}

function readOptions(args: readonly string[]): AddOptions {
  const options: AddOptions = { transport: undefined, env: {}, headers: {}, rest: [] };
  const queue = [...args];
  while (queue.length > 0) {
    const word = queue.shift() ?? '';
    if (word === '--') {
      addAll(options.rest, queue.splice(0));
    } else if (/^(-t|--transport)$/.test(word)) {
      options.transport = queue.shift();
    } else if (/^(-s|--scope)$/.test(word)) {
      queue.shift();
    } else if (/^(-e|--env)$/.test(word)) {
      takeAssignments(queue, options.env);
    } else if (/^(-H|--header)$/.test(word)) {
      assign(options.headers, readHeader(queue.shift() ?? ''));
    } else {
      options.rest.push(word);
    }
    // behind name and command everything belongs to the server; behind a URL come more options
    if (options.rest.length >= 2 && !isUrl(options.rest[1])) {
      addAll(
        options.rest,
        queue.splice(0).filter((item, index) => index > 0 || item !== '--'),
      );
    }
  }
  return options;
}

function takeAssignments(queue: string[], env: Record<string, string>): void {
  while (readAssignment(queue[0] ?? '')) {
    assign(env, readAssignment(queue.shift() ?? ''));
  }
}

function assign(map: Record<string, string>, pair: readonly [string, string] | undefined): void {
  if (pair) {
    map[pair[0]] = pair[1];
  }
}

function parseAddJson(args: readonly string[]): PastedServer {
  const words = args.filter((word, index) => !isScope(word) && !isScope(args[index - 1] ?? ''));
  const [name, text] = words;
  const entry = parseJsonObject(text ?? '');
  if (name && entry) {
    return { name, entry };
  }
  throw noServer(
    'paste_incomplete',
    l10n.t('It reads: {0}', 'claude mcp add-json NAME \'{"command": "…"}\''),
  );
}

function isScope(word: string): boolean {
  return word === '-s' || word === '--scope';
}
