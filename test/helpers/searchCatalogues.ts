/** Reads the catalogues, described in a compact form, over which the search for tools is measured. */
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { JsonObject } from '../../src/base/json.js';

const folder = resolve('test/fixtures/search');

interface DescribedServer {
  readonly name: string;
  /** What the server says that it is for; many say nothing. */
  readonly purpose: string | undefined;
  readonly tools: readonly DescribedTool[];
}

interface DescribedTool {
  readonly name: string;
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly inputSchema: JsonObject;
}

/** How a server writes its names and texts. */
interface Manner {
  readonly style: string;
  readonly prefix: string;
  readonly hasTitles: boolean;
  /** The tools have names only. */
  readonly isTerse: boolean;
  /** Ends every description. */
  readonly ending: string;
}

const parameterTexts = new Map(
  readFileSync(resolve(folder, 'parameters.txt'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const [name = '', text = ''] = line.split(': ');
      return [plain(name), text];
    }),
);

export function readDescribedServers(): readonly DescribedServer[] {
  const catalogues = resolve(folder, 'catalogues');
  return readdirSync(catalogues)
    .sort()
    .flatMap((file) => readFileSync(resolve(catalogues, file), 'utf8').split(/^# /m).slice(1))
    .map(readServer);
}

/**
 * `NAME | PURPOSE | STYLE PREFIX titles terse | | ENDING` and a line for each tool, `NAME | DESCRIPTION | PARAMETERS | TITLE`,
 * or for those of one thing, `@ VERBS | SINGULAR/PLURAL | REST OF THE DESCRIPTION | PARAMETERS`.
 */
function readServer(text: string): DescribedServer {
  const [head = '', ...lines] = text.trim().split('\n');
  const [name = '', purpose, manners = '', , ending = ''] = columnsOf(head);
  const [style = '', ...words] = manners.split(' ').filter(Boolean);
  const manner = {
    style,
    prefix: words.find((word) => !/^(?:titles|terse)$/.test(word)) ?? '',
    hasTitles: words.includes('titles'),
    isTerse: words.includes('terse'),
    ending,
  };
  const tools = lines.flatMap((line) => {
    const columns = columnsOf(line);
    return line.startsWith('@ ') ? readFamily(columns, manner) : [readTool(columns, manner)];
  });
  return { name, purpose: purpose || undefined, tools };
}

function columnsOf(line: string): readonly string[] {
  return line.split('|').map((column) => column.trim());
}

function readTool(
  [name = '', description = '', parameters = '', title = '']: readonly string[],
  { prefix, isTerse, ending }: Manner,
): DescribedTool {
  return {
    name: name.startsWith(prefix) ? name : prefix + name,
    title: title || undefined,
    description: isTerse ? undefined : `${description} ${ending}`.trim() || undefined,
    inputSchema: schemaOf(parameters),
  };
}

function readFamily(columns: readonly string[], manner: Manner): readonly DescribedTool[] {
  const [verbs = '', nouns = '', rest = '', parameters = ''] = columns;
  const [singular = '', plural = ''] = nouns.split('/');
  return verbs
    .slice(2)
    .split(' ')
    .map((verb) => {
      const isMany = verb === 'list' || verb === 'search';
      const noun = isMany ? plural : singular;
      const words = noun.replace(/[_-]/g, ' ');
      const object = isMany ? words : `${/^[aeio]/.test(words) ? 'an' : 'a'} ${words}`;
      const title = `${capitalized(verb)} ${object}`;
      const needed = /^(?:create|add)$/.test(verb)
        ? parameters.replace(/^\S*[iI][dD]\b/, '')
        : /^(?:update|edit|put|set|search)$/.test(verb)
          ? parameters
          : isMany
            ? 'limit page'
            : (parameters.split(' ')[0] ?? '');
      return readTool(
        [
          nameOf([verb, ...noun.split(/[_-]/)], manner.style),
          `${title} ${rest}`.trim(),
          needed.trim(),
          manner.hasTitles ? title : '',
        ],
        manner,
      );
    });
}

function nameOf(words: readonly string[], style: string): string {
  switch (style) {
    case 'camel':
      return words.map((word, index) => (index === 0 ? word : capitalized(word))).join('');
    case 'kebab':
      return words.join('-');
    default:
      return words.join('_');
  }
}

function schemaOf(parameters: string): JsonObject {
  const names = parameters.split(' ').filter(Boolean);
  const properties = names.map((name) => {
    const description = parameterTexts.get(plain(name));
    return [name, { type: 'string', ...(description && { description }) }];
  });
  return { type: 'object', properties: Object.fromEntries(properties) };
}

/** `repo_path`, `repoPath` and `repo-path` have the same text. */
function plain(name: string): string {
  return name.replace(/[_-]/g, '').toLowerCase();
}

function capitalized(word: string): string {
  return `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;
}
