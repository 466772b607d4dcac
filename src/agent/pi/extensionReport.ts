/** What became of Pi extensions in this host, in words. */
import type { Extension, LoadExtensionsResult } from '@earendil-works/pi-coding-agent';
import * as l10n from '@vscode/l10n';
import { settingIds } from '../../contributions.js';
import type { FolderExtensions } from './folderExtensions.js';
import { bringsServers, extensionName, type FoundExtension } from './userExtensions.js';

export interface ExtensionReport {
  readonly loaded: readonly {
    readonly name: string;
    readonly path: string;
    readonly tools: readonly string[];
    /** Without the slash. */
    readonly commands: readonly string[];
    /** Sentences about what of it does nothing here. */
    readonly limits: readonly string[];
  }[];
  /** `reason` is a sentence. */
  readonly left: readonly { readonly name: string; readonly reason: string }[];
  /** Why none was even looked for, as a sentence. */
  readonly note?: string;
  /** What the folder brings along; it runs by consent alone. */
  readonly folder?: Pick<FolderExtensions, 'hash' | 'files'> & { readonly isLoaded: boolean };
}

export const emptyReport: ExtensionReport = { loaded: [], left: [] };

/** What was found and is not even tried. */
export function sortOut(
  found: readonly FoundExtension[],
  missing: readonly string[],
  agentDir: string,
): { readonly wanted: readonly FoundExtension[]; readonly left: ExtensionReport['left'] } {
  const wanted = found.filter((one) => !bringsServers(one));
  return {
    wanted,
    left: [
      ...found.filter(bringsServers).map((one) => ({
        name: extensionName(one, agentDir),
        reason: ownServers(),
      })),
      ...missing.map((name) => ({
        name,
        reason: l10n.t('It is not installed. Run "pi install {0}" in a terminal.', name),
      })),
    ],
  };
}

/** @param isMeant extensions of users are loaded at all */
export function ofFolder(
  found: FolderExtensions | undefined,
  isLoaded: boolean,
  isMeant: boolean,
): Pick<ExtensionReport, 'left' | 'folder'> {
  if (!found) {
    return { left: [] };
  }
  const { hash, files, entries } = found;
  const reason = isMeant
    ? l10n.t('From this folder; needs trust: /extensions shows what would run.')
    : disabledText();
  return {
    left: isLoaded ? [] : entries.map((name) => ({ name, reason })),
    folder: isMeant ? { hash, files, isLoaded } : undefined,
  };
}

export function disabledText(): string {
  return l10n.t('Your Pi extensions are disabled by the setting {0}.', settingIds.agentExtensions);
}

export interface ReportRules {
  readonly agentDir: string;
  /** Names that no tool of an extension may take. */
  readonly isReserved: (tool: string) => boolean;
}

/** Takes out of the result what must not run here, and says so. */
export function reportExtensions(
  { extensions, errors }: LoadExtensionsResult,
  wanted: readonly FoundExtension[],
  { agentDir, isReserved }: ReportRules,
): { readonly kept: Extension[]; readonly report: ExtensionReport } {
  const nameOf = (path: string) =>
    extensionName(wanted.find((one) => one.path === path) ?? { path }, agentDir);
  const doubles = extensions.filter((one) => one.commands.has('mcp'));
  const kept = extensions.filter((one) => !doubles.includes(one));
  return {
    kept,
    report: {
      loaded: kept.map((one) => ({
        name: nameOf(one.path),
        path: one.path,
        tools: [...one.tools.keys()].filter((name) => !isReserved(name)),
        commands: [...one.commands.keys()],
        limits: limitsOf(one, isReserved),
      })),
      left: [
        ...doubles.map(({ path }) => ({ name: nameOf(path), reason: ownServers() })),
        ...errors.map(({ path, error }) => ({
          name: nameOf(path),
          reason: l10n.t('{0} could not be loaded: {1}', path, error),
        })),
      ],
    },
  };
}

function ownServers(): string {
  return l10n.t('It connects to MCP servers, which Pi MCP does: every tool would be there twice.');
}

function limitsOf(extension: Extension, isReserved: ReportRules['isReserved']): readonly string[] {
  const taken = [...extension.tools.keys()].filter(isReserved);
  const { shortcuts, messageRenderers, entryRenderers, markdownTransformer, flags } = extension;
  const drawings = messageRenderers.size + (entryRenderers?.size ?? 0);
  return [
    ...(taken.length > 0
      ? [l10n.t('Tools with the names of built-in ones are left out: {0}.', taken.join(', '))]
      : []),
    ...(shortcuts.size + drawings + flags.size > 0 || markdownTransformer
      ? [l10n.t("Keys, drawings and command line options work in Pi's terminal alone.")]
      : []),
  ];
}
