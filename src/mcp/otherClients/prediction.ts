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

/** Characters of the name of a tool in VS Code that say where it is from. */
const prefixLength = 18;
const prefixStart = 'mcp_';

/**
 * Whether the tools that VS Code offers hold one of the server: `mcp_`, up to 13 characters of the server's label, a number
 * where labels meet, `_`, and the tool's own name. They are there once its client has started the server.
 */
export function hasToolOf(
  { name, tools }: { readonly name: string; readonly tools: readonly string[] },
  offered: readonly string[],
): boolean {
  const label = name
    .toLowerCase()
    .replace(/[^a-z0-9_.-]+/g, '_')
    .slice(0, prefixLength - prefixStart.length - 1);
  const own = new Set(tools.map(editorName));
  return offered.some((offer) => {
    for (let cut = 0; cut <= 2; cut++) {
      const start = prefixStart + label.slice(0, prefixLength - prefixStart.length - 1 - cut);
      const rest = offer.startsWith(start) ? offer.slice(start.length) : undefined;
      const match = rest === undefined ? undefined : /^(\d*)_(.*)$/s.exec(rest);
      if (match?.[1]?.length === cut && own.has(match[2] ?? '')) {
        return true;
      }
    }
    return false;
  });
}

/** A tool as VS Code may name it. */
function editorName(tool: string): string {
  return tool.replace(/[^\w-]/g, '_');
}
