/** What a node shows, as data, and the words that several nodes share. For plain Node, like every `…Presentation`. */
import * as l10n from '@vscode/l10n';
import type { ToolFacts } from '../../agent/tools/toolOverview.js';
import { withRemedy } from '../../base/errors.js';
import type { Event } from '../../base/event.js';
import { counted } from '../../base/text/counted.js';
import type { ConfigProblem } from '../../config/definition.js';
import type { CommandId } from '../../contributions.js';
import type { AppConsent } from '../../mcp/apps/consents.js';
import type { ChosenProfile } from '../../mcp/catalog/records/toolProfiles.js';
import type { ToolStatistic } from '../../mcp/catalog/records/toolStatistics.js';
import type { FolderTrust, McpPool, McpServer, ServerAccount } from '../../mcp/mcpApi.js';
import type { DoubleStart } from '../../mcp/otherClients/doubleStarts.js';

/** `text` is shown literally, whatever markup it holds. */
export type TooltipPart =
  | { readonly kind: 'title'; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string; readonly language?: string }
  /** What can be done about the node. */
  | { readonly kind: 'actions'; readonly actions: readonly TooltipAction[] };

export interface TooltipAction {
  readonly title: string;
  readonly command: CommandId;
  /** Id of the server that the command is about, or a link to one of its tools. */
  readonly argument: string;
}

export interface NodePresentation {
  readonly label: string;
  readonly description?: string;
  readonly icon: string;
  /** The item's own icon as `data:` images, in place of `icon`. */
  readonly picture?: { readonly light: string; readonly dark: string };
  /** Id of a theme colour. */
  readonly color?: string;
  readonly tooltip: readonly TooltipPart[];
  /** The whole node in words, for screen readers. */
  readonly spoken: string;
  /** Space-joined {@link itemFlags}. */
  readonly flags: string;
  readonly expansion: 'none' | 'collapsed' | 'expanded';
  /** Shows a checkbox. */
  readonly isChecked?: boolean;
  /** Runs with the node as its argument when the node is clicked. */
  readonly command?: { readonly id: CommandId; readonly title: string };
}

/** What other programs have to do with a server. */
export interface OtherUse {
  /** VS Code's own agent has it from us, or will when the gateway runs. Default: it is not handed over. */
  readonly handOver?: 'offered' | 'waiting' | undefined;
  /** Default: nobody else would start it, and nobody has. */
  readonly start?: Pick<DoubleStart, 'isPredicted' | 'running' | 'choice'> | undefined;
}

/** Facts a node does not carry itself. */
export interface PresentationContext {
  /** On the measuring clock. Default: nothing says how long it has lasted. */
  readonly now?: number;
  readonly isWorkspaceTrusted: boolean;
  folderTrust(folderUri: string): FolderTrust;
  /** The folder's gateway runs. */
  readonly isLent?: (folderUri: string) => boolean;
  /** Absent where nothing but the server's own words is known. */
  readonly toolFacts?: (server: McpServer, tool: string) => ToolFacts | undefined;
  /** Of a folder, or of what is of no folder. Default: there are no profiles. */
  readonly profileOf?: (folderUri: string | undefined) => ChosenProfile | undefined;
  /** Patterns of the chosen profile that mean nothing there. Default: there are none. */
  readonly unknownPatterns?: (folderUri: string) => readonly string[];
  readonly storedAccount?: (server: McpServer) => ServerAccount;
  /** What a server asked that waits for the user. */
  readonly openQuestion?: (server: McpServer) => string | undefined;
  readonly serverStatistic?: (server: McpServer) => ToolStatistic | undefined;
  /** Everything about the entry of a server, advice included. Default: what its definition says. */
  readonly problemsOf?: (server: McpServer) => readonly ConfigProblem[];
  /** Default: nobody else uses it. */
  readonly otherUse?: (server: McpServer) => OtherUse;
  /** VS Code would start the same processes, and the user was not asked who should. Default: no. */
  readonly asksWho?: () => boolean;
  /** Consents to see apps of the server. */
  readonly appConsents?: (server: McpServer) => readonly AppConsent[];
}

/** What rows say beside what the servers themselves are. */
export interface RowFacts {
  readonly onDidChange: Event<void>;
  readonly context: Omit<
    PresentationContext,
    'now' | 'isWorkspaceTrusted' | 'folderTrust' | 'storedAccount'
  >;
}

/** What every surface says about the entry of a server, beside its state: the same, whatever shows it. */
export function serverProblems(
  server: McpServer,
  { problemsOf }: Pick<PresentationContext, 'problemsOf'>,
): readonly ConfigProblem[] {
  return problemsOf?.(server) ?? server.definition.problems;
}

/** A problem with what to do about it. */
export function problemWithRemedy({ message, remedy }: ConfigProblem): string {
  return withRemedy(message, remedy);
}

export function poolLabel(pool: McpPool): string {
  return pool.folder ? pool.folder.name : l10n.t('User');
}

export function toolCount(count: number): string {
  return counted(l10n.t('1 tool|{0} tools'), count);
}

/** How much a server offers; nothing is known of one that never connected. */
export function offersText({ catalog, state }: McpServer): string | undefined {
  const { tools, resources, prompts, serverInfo } = catalog.value;
  const isKnown = serverInfo !== undefined || state.value.kind === 'connected' || tools.length > 0;
  return isKnown
    ? l10n.t(
        'tools: {0}, resources: {1}, prompts: {2}',
        tools.length,
        resources.length,
        prompts.length,
      )
    : undefined;
}

export function firstLine(text: string | undefined): string | undefined {
  return text?.trim().split(/\r?\n/, 1)[0];
}
