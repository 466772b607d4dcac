/** Where in a configuration file its servers stand, and servers that stand where nobody reads them. */
import * as l10n from '@vscode/l10n';
import type { Node } from 'jsonc-parser';
import { addAll } from '../../base/lists.js';
import { nameToken } from '../../base/text/nameToken.js';
import type { ConfigProblem } from '../definition.js';
import type { FieldTable } from '../schema/field.js';
import { entryFields } from '../schema/fields.js';
import { mustBe } from '../sentences.js';
import type { ConfigPath, ConfigShape } from './configTypes.js';
import {
  countedNode,
  findProperty,
  type JsonProperty,
  nameRange,
  nodeRange,
  properties,
} from './jsonDocument.js';

export interface ServerBlock {
  readonly shape: ConfigShape;
  readonly path: ConfigPath;
  readonly entries: readonly JsonProperty[];
}

const wrappers = ['mcpServers', 'mcp-servers', 'servers'] as const;

/** Properties of the top level that are no servers. */
export const reservedNames: ReadonlySet<string> = new Set([
  ...wrappers,
  '$schema',
  'disabled',
  'imports',
  'settings',
  'inputs',
  'mcp',
  'sandbox',
  'truncation',
  'ancestorConfigRoots',
]);

/** The blocks of a file of ours. What is wrong with them, and what is missed beside them, goes to `problems`. */
export function findBlocks(
  root: Node,
  fields: FieldTable | undefined,
  problems: ConfigProblem[],
): readonly ServerBlock[] {
  const wrapped = wrappers.flatMap((name) => wrapperBlock(root, name, problems));
  const blocks = [...wrapped, ...mcpBlock(root)];
  if (blocks.length > 0 || problems.length > 0) {
    addAll(problems, unreadServers(root, blocks[0]?.path.join('.')));
    return blocks;
  }
  const entries = properties(root).filter((property) => isBareEntry(property, fields));
  if (entries.length > 0 && !looksLikeServer(root)) {
    return [{ shape: 'bare', path: [], entries }];
  }
  addAll(problems, unreadServers(root));
  return [];
}

/** The block of a file of another program. Names under which other programs keep servers are reported. */
export function findForeignBlocks(
  root: Node,
  path: ConfigPath | undefined,
  problems: ConfigProblem[],
): readonly ServerBlock[] {
  const blocks = path ? blockAt(root, path, problems) : mcpBlock(root);
  if (blocks.length === 0 && problems.length === 0 && path?.length === 1) {
    const missed = properties(root).filter(({ name }) => foreignBlocks.has(name));
    addAll(
      problems,
      missed.filter(isUnread).map((item) => unread(item, String(path[0]))),
    );
  }
  return blocks.map((block) => ({ ...block, entries: block.entries.filter(isForeignServer) }));
}

const foreignBlocks = new Set([...wrappers, 'mcps', 'mcp', 'mcp_servers', 'context_servers']);

/** Other programs keep switches of their own beside their servers; only objects can be servers there. */
function isForeignServer({ valueNode }: JsonProperty): boolean {
  return valueNode.type === 'object';
}

function blockAt(root: Node, path: ConfigPath, problems: ConfigProblem[]): ServerBlock[] {
  const node = countedNode(root, path);
  const shape = wrappers.find((name) => name === path.at(-1)) ?? 'mcp';
  if (node && node.type !== 'object') {
    problems.push(notAnObject(String(path.at(-1)), node));
  }
  return node?.type === 'object' ? [{ shape, path, entries: properties(node) }] : [];
}

function wrapperBlock(
  root: Node,
  name: (typeof wrappers)[number],
  problems: ConfigProblem[],
): ServerBlock[] {
  const property = findProperty(root, name);
  if (!property || looksLikeServer(property.valueNode)) {
    return [];
  }
  if (property.valueNode.type !== 'object') {
    problems.push(notAnObject(name, property.valueNode));
    return [];
  }
  return [{ shape: name, path: [name], entries: properties(property.valueNode) }];
}

function notAnObject(name: string, node: Node): ConfigProblem {
  return {
    code: 'servers-not-object',
    severity: 'error',
    message: mustBe(name, '{ "…": { … } }'),
    remedy: l10n.t('Correct the value.'),
    range: nodeRange(node),
  };
}

/** `mcp: { name: … }` of opencode and Pi's settings, or `mcp: { servers: … }` of VS Code's. */
function mcpBlock(root: Node): ServerBlock[] {
  const mcp = findProperty(root, 'mcp');
  if (mcp?.valueNode.type !== 'object' || looksLikeServer(mcp.valueNode)) {
    return [];
  }
  const servers = findProperty(mcp.valueNode, 'servers');
  if (servers?.valueNode.type === 'object' && !looksLikeServer(servers.valueNode)) {
    const entries = properties(servers.valueNode);
    return [{ shape: 'mcp', path: ['mcp', 'servers'], entries }];
  }
  return [{ shape: 'mcp', path: ['mcp'], entries: properties(mcp.valueNode) }];
}

/** A server may be called `servers`: then its value has a command or a url that is not itself an entry. */
export function looksLikeServer(node: Node): boolean {
  return properties(node).some(isTarget);
}

function isTarget({ name, valueNode }: JsonProperty): boolean {
  return (name === 'command' || name === 'url') && valueNode.type !== 'object';
}

function isBareEntry(property: JsonProperty, fields = entryFields): boolean {
  if (reservedNames.has(property.name) && !looksLikeServer(property.valueNode)) {
    return false;
  }
  return properties(property.valueNode).some(
    ({ name }) => (fields.find(name)?.role ?? 'foreign') !== 'foreign',
  );
}

/** A server beside the block, one without a name, or a block or list of them under a name that nobody knows. */
function isUnread(property: JsonProperty): boolean {
  const nodes = [property.valueNode, ...membersOf(property.valueNode)];
  return isTarget(property) || nodes.some(looksLikeServer);
}

function unreadServers(root: Node, wanted = 'mcpServers'): readonly ConfigProblem[] {
  const hasBlock = [...wrappers, 'mcp'].some((name) => findProperty(root, name));
  return properties(root)
    .filter((property) => !reservedNames.has(property.name) && isUnread(property))
    .map((property) =>
      unread(property, wanted, hasBlock || !isBlock(property) ? undefined : wanted),
    );
}

function isBlock({ valueNode }: JsonProperty): boolean {
  return valueNode.type === 'object' && !looksLikeServer(valueNode);
}

function membersOf(node: Node): readonly Node[] {
  return node.type === 'array'
    ? (node.children ?? [])
    : properties(node).map(({ valueNode }) => valueNode);
}

/** @param rename of a block that needs no more than another name */
function unread(property: JsonProperty, wanted: string, rename?: string): ConfigProblem {
  return {
    code: 'unread-servers',
    severity: 'warning',
    message: l10n.t('"{0}" is outside of "{1}" and is not read.', nameToken(property.name), wanted),
    remedy:
      rename === undefined
        ? l10n.t('Move it into "{0}".', wanted)
        : l10n.t('Write it as {0}.', `"${rename}"`),
    range: nameRange(property),
    rename,
  };
}
