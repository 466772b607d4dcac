/** What a command of the panel is. */
import * as l10n from '@vscode/l10n';
import type { CommandId } from '../../../contributions.js';
import type { McpServer, McpService } from '../../../mcp/mcpApi.js';
import type { CommandAnswer } from '../../../protocol/agentProtocol.js';
import type { AgentSession } from '../../session/agentSession.js';
import type { AgentPanel } from '../agentPanel.js';

export interface CommandParts {
  readonly panel: Pick<
    AgentPanel,
    | 'chooseThinking'
    | 'library'
    | 'models'
    | 'newSession'
    | 'prompt'
    | 'runForUser'
    | 'selectModel'
    | 'setMode'
    | 'shown'
    | 'snapshot'
    | 'whenStarted'
  >;
  readonly service: McpService;
  readonly editor: CommandEditor;
}

/** What commands need of the editor. Each rejects with a cancellation when the user leaves. */
export interface CommandEditor {
  /** Runs a command of the extension, which says itself what goes wrong. */
  readonly run: (command: CommandId, argument?: unknown) => Promise<void>;
  /** Shows the files, and asks whether they may run inside of the editor. */
  readonly reviewExtensions: (
    files: readonly { readonly path: string; readonly text: string }[],
  ) => Promise<boolean>;
  /** Lets the user choose the model provider to be logged out of. */
  readonly logOut: () => Promise<void>;
}

/** Nothing was done. */
export class CommandRefused extends Error {
  /** @param near values that were probably meant */
  constructor(
    message: string,
    readonly near: readonly string[] = [],
  ) {
    super(message);
  }
}

export interface PanelCommand {
  /** The first is its name; others do the same. */
  readonly words: readonly [string, ...string[]];
  /** What follows it; absent: nothing may. */
  readonly argument?: {
    /** One word, such as `name`. */
    readonly name: string;
    /** What it may be, where that is known. */
    readonly values?: (parts: CommandParts) => readonly CommandValue[];
  };
  readonly describe: () => string;
  /** Waits for the end of a run. Default: works during one. */
  readonly isForIdle?: boolean;
  readonly subcommands?: readonly PanelCommand[];
  /** @param argument trimmed; empty when there is none */
  readonly run: (parts: CommandParts, argument: string) => Promise<CommandResult> | CommandResult;
}

/** What it answers, or the part of the page that it shows. */
type CommandResult = CommandAnswer | { readonly opens: 'tools' | 'context' } | undefined;

export interface CommandValue {
  readonly value: string;
  readonly description: string;
}

/** Of the folder whose conversation is shown. */
export function usableServers({
  panel,
  service,
}: Pick<CommandParts, 'panel' | 'service'>): readonly McpServer[] {
  return service.serversFor(panel.snapshot().state.folder?.uri);
}

/** @throws {CommandRefused} before there is one. */
export function conversationOf({ shown }: CommandParts['panel']): AgentSession {
  if (!shown) {
    throw new CommandRefused(l10n.t('There is no conversation yet.'));
  }
  return shown;
}

/** For a command that answers nothing. */
export function nothing(
  work: (parts: CommandParts, argument: string) => unknown,
): PanelCommand['run'] {
  return async (parts, argument) => {
    await work(parts, argument);
    return undefined;
  };
}
