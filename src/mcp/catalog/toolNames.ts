/** Names under which a model sees MCP tools: unique, accepted by every provider, independent of order. */
import { createHash } from 'node:crypto';
import type { McpServerId, ToolPrefix } from '../../config/definition.js';
import { defaultToolPrefix } from '../../config/schema/settings.js';

/** Providers accept `^[A-Za-z0-9_-]{1,64}$`; `-` is left out because some refuse it. */
export const maxToolNameLength = 64;

export interface NameableServer {
  readonly id: McpServerId;
  readonly name: string;
  readonly tools: readonly { readonly name: string }[];
  /** Default: the `prefix` of the options. */
  readonly prefix?: ToolPrefix;
}

export interface NamedTool {
  /** What the model calls. */
  readonly name: string;
  readonly serverId: McpServerId;
  readonly server: string;
  /** What the server calls. */
  readonly tool: string;
}

export interface ToolNameOptions {
  /** Names that no MCP tool may take, such as the built-in tools. Default: none. */
  readonly reserved?: Iterable<string>;
  /** Default `server`. */
  readonly prefix?: ToolPrefix;
}

/** Hexadecimal digits of the suffix, longer while a clash remains. */
const suffixLengths = [8, 16, 24, 32, 40];

/** A duplicate of a server's tool is named once. The order of the result is the order of the servers and tools. */
export function nameTools(
  servers: readonly NameableServer[],
  options: ToolNameOptions = {},
): readonly NamedTool[] {
  const reserved = new Set(options.reserved);
  const tools = distinctTools(servers).map(({ server, tool }) => ({
    server,
    tool,
    plain: plainName(server.name, tool, server.prefix ?? options.prefix ?? defaultToolPrefix),
    level: 0,
  }));
  let names = tools.map(nameAtLevel);
  let clashes = findClashes(names, reserved);
  // every member of a clash moves on together, so that no result depends on who came first
  for (let round = 0; clashes.size > 0 && round < suffixLengths.length; round++) {
    for (const [index, tool] of tools.entries()) {
      if (clashes.has(names[index] ?? '')) {
        tool.level++;
      }
    }
    names = tools.map(nameAtLevel);
    clashes = findClashes(names, reserved);
  }
  return tools.map(({ server, tool }, index) => ({
    name: names[index] ?? '',
    serverId: server.id,
    server: server.name,
    tool,
  }));
}

interface Candidate {
  readonly server: NameableServer;
  readonly tool: string;
  readonly plain: string;
  level: number;
}

function distinctTools(servers: readonly NameableServer[]) {
  const pairs = servers.flatMap((server) =>
    server.tools.map(({ name }) => ({ server, tool: name })),
  );
  return [...new Map(pairs.map((pair) => [`${pair.server.id}\0${pair.tool}`, pair])).values()];
}

function nameAtLevel({ server, tool, plain, level }: Candidate): string {
  if (level === 0 && plain.length <= maxToolNameLength) {
    return plain;
  }
  const length = suffixLengths[Math.max(0, level - 1)] ?? 40;
  const hash = createHash('sha256').update(`${server.id}\0${tool}`).digest('hex').slice(0, length);
  return `${plain.slice(0, maxToolNameLength - length - 1)}_${hash}`;
}

function findClashes(names: readonly string[], reserved: ReadonlySet<string>): Set<string> {
  const seen = new Set<string>(reserved);
  const clashes = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) {
      clashes.add(name);
    }
    seen.add(name);
  }
  return clashes;
}

/** The names of a tool under every prefix, before clashes and lengths are looked at, and as pi-mcp-adapter spells it. */
export function plainToolNames(server: string, tool: string): readonly string[] {
  const names = (['server', 'short', 'none', 'mcp'] as const).map((prefix) =>
    plainName(server, tool, prefix),
  );
  return [...names, doubledName(server, tool), `${sanitize(server)}_${sanitize(tool)}`];
}

/** With the server's name in front even where the tool's own begins with it; conversations of old call it so. */
export function doubledName(server: string, tool: string): string {
  return startWithLetter(`${sanitize(server)}__${sanitize(tool) || 'tool'}`);
}

/**
 * `server`: `files__read` · `short`: without a trailing `-mcp` · `none`: `read` · `mcp`: `mcp__files__read`. A name that
 * begins with the server's stays alone under the first two: `browser_click`.
 */
function plainName(server: string, tool: string, prefix: ToolPrefix): string {
  const name = sanitize(tool) || 'tool';
  switch (prefix) {
    case 'server':
      return joinNames(sanitize(server), name);
    case 'short':
      return joinNames(sanitize(server.replace(/-?mcp$/i, '') || 'mcp'), name);
    case 'mcp':
      return `mcp__${sanitize(server)}__${name}`;
    case 'none':
      return startWithLetter(name);
  }
}

function joinNames(server: string, tool: string): string {
  const isNamed = tool.toLowerCase().startsWith(`${server.toLowerCase()}_`);
  return startWithLetter(isNamed ? tool : `${server}__${tool}`);
}

function sanitize(text: string): string {
  return text.replace(/[^A-Za-z0-9_]/gu, '_');
}

/** Some providers refuse a name that starts with a digit. */
function startWithLetter(name: string): string {
  return /^[0-9]/.test(name) ? `_${name}` : name;
}
