/** Whether VS Code's own client would start an entry, by the files that it reads. */
import { join } from 'node:path';
import type { McpServerDefinition } from '../../config/definition.js';
import { folderImportFiles, userImportFiles } from '../../config/imports/importLocations.js';
import type { HostEnvironment } from '../../platform/ports.js';

/** Keys of `chat.mcp.discovery.enabled`. */
export const editorDiscoveries = [
  'claude-desktop',
  'copilot',
  'windsurf',
  'cursor-global',
  'cursor-workspace',
] as const;
type EditorDiscovery = (typeof editorDiscoveries)[number];

/** What VS Code's settings let its own client do. */
export interface EditorRules {
  /** It starts what files declare: `chat.mcp.access` is `all`, and its AI features are not switched off. */
  readonly startsFiles: boolean;
  readonly discoveries: ReadonlySet<EditorDiscovery>;
}

type PlaceEnvironment = Pick<HostEnvironment, 'homeDir' | 'platform' | 'getVariable'>;

/**
 * It reads `.mcp.json` and `.vscode/mcp.json` of folders, the user's `mcp.json`, and files of other programs where the user
 * has switched that on; never in Restricted Mode. An entry that a file of ours replaces is one of its own all the same.
 */
export function wouldEditorStart(
  { origin, hides, folder, launch }: McpServerDefinition,
  rules: EditorRules & { readonly isWorkspaceTrusted: boolean },
  environment: PlaceEnvironment,
): boolean {
  if (!rules.startsFiles || !rules.isWorkspaceTrusted || !launch) {
    return false;
  }
  const read = new Set([
    ...(folder?.fsPath === undefined ? [] : [join(folder.fsPath, '.mcp.json')]),
    ...(folder ? folderImportFiles('vscode', folder, environment) : []).map(({ path }) => path),
    ...userImportFiles('vscode', environment).map(({ path }) => path),
    ...[...rules.discoveries].flatMap((discovery) =>
      discovered(discovery, folder, environment).map(({ path }) => path),
    ),
  ]);
  return [origin, ...hides].some(({ path }) => read.has(path));
}

function discovered(
  discovery: EditorDiscovery,
  folder: McpServerDefinition['folder'],
  environment: PlaceEnvironment,
) {
  switch (discovery) {
    case 'cursor-global':
      return userImportFiles('cursor', environment);
    case 'cursor-workspace':
      return folder ? folderImportFiles('cursor', folder, environment) : [];
    case 'claude-desktop':
    case 'copilot':
    case 'windsurf':
      return userImportFiles(discovery, environment);
  }
}

/** Characters of the name of a tool in VS Code: all, and those that say where it is from. */
const lengths = { name: 64, prefix: 18 };
const start = 'mcp_';

export interface NamedTools {
  /** What the server may be called by: as it calls itself, and in its file. */
  readonly labels: readonly string[];
  /** The names that it gives its tools. */
  readonly tools: readonly string[];
}

/**
 * Whether the tools that VS Code offers hold one of the server: `mcp_`, up to 13 characters of a label, a number where labels
 * meet, `_`, and the tool's own name. They are there once its client has started the server, and stay when that stops.
 */
export function hasToolOf({ labels, tools }: NamedTools, offered: readonly string[]): boolean {
  const own = tools.map(editorName);
  const starts = labels.map((label) =>
    label
      .toLowerCase()
      .replace(/[^a-z0-9_.-]+/g, '_')
      .slice(0, lengths.prefix - start.length - 1),
  );
  // a number takes the place of what the label would have
  const cuts = starts.flatMap((label) => [
    { label, digits: 0 },
    { label: label.slice(0, 12), digits: 1 },
    { label: label.slice(0, 11), digits: 2 },
  ]);
  return offered.some((offer) =>
    cuts.some(({ label, digits }) => {
      const before = start + label.replaceAll('.', '_');
      const rest = offer.startsWith(before) ? offer.slice(before.length) : '';
      const isPrefix = /^\d*/.exec(rest)?.[0].length === digits && rest[digits] === '_';
      const room = lengths.name - before.length - digits - 1;
      return isPrefix && own.some((tool) => tool.slice(0, room) === rest.slice(digits + 1));
    }),
  );
}

/** A tool as VS Code may name it. */
function editorName(tool: string): string {
  return tool.replace(/[^\w-]/g, '_');
}
