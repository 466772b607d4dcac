/** What the page shows beside the conversation, as data. */
import * as l10n from '@vscode/l10n';
import { errorMessage, HumanError, isHumanError } from '../../base/errors.js';
import type { AgentModelView, AgentViewState } from '../../protocol/agentProtocol.js';
import type { RestoreView } from '../../protocol/restoring.js';
import { conversationTitle } from '../conversations/title.js';
import { type AgentProblem, modelView } from '../models/models.js';
import type { AgentSession } from '../session/agentSession.js';
import type { FolderKey } from '../session/agentSessions.js';
import type { Transcript } from '../transcript/entries.js';

export interface PanelParts {
  readonly shown: FolderKey;
  readonly session: AgentSession | undefined;
  readonly restore: RestoreView | undefined;
  readonly problem: AgentProblem | undefined;
  readonly folders: readonly { readonly uri: string; readonly name: string }[];
  readonly models: readonly AgentModelView[];
  /** Open approvals of a folder's conversation. */
  readonly waiting: (folderUri: string) => number;
  readonly isYolo: boolean;
  readonly isRestricted: boolean;
}

export function panelState(parts: PanelParts): AgentViewState {
  const { session, problem } = parts;
  const folders = parts.folders.map(({ uri, name }) => ({
    uri,
    name,
    waiting: parts.waiting(uri),
  }));
  const folder = parts.folders.find(({ uri }) => uri === parts.shown);
  const title = session && (session.conversation?.name ?? titleOf(session.transcript));
  return {
    status: statusOf(parts),
    ...(problem && { problem }),
    ...(folder && { folder: { uri: folder.uri, name: folder.name } }),
    folders,
    ...(title !== undefined && { title }),
    ...(session?.model && { model: modelView(session.model) }),
    models: parts.models,
    tools: session?.toolCounts ?? { mcp: 0, builtIn: 0 },
    approvals: session?.approvals.open ?? [],
    queue: session?.queue.view ?? { messages: [] },
    ...(session?.builtInCalls.summary.view && { changes: session.builtInCalls.summary.view }),
    ...(parts.restore && { restore: parts.restore }),
    ...(session?.usage && { usage: session.usage }),
    isYolo: parts.isYolo,
    isRestricted: parts.isRestricted,
  };
}

export function problemOf(error: unknown): AgentProblem {
  const remedy = l10n.t('Reload the agent; the extension log has the details.');
  return isHumanError(error)
    ? { message: error.message, remedy: error.remedy ?? remedy, actions: ['reload'] }
    : {
        message: l10n.t('The Pi agent could not be started: {0}', errorMessage(error)),
        remedy,
        actions: ['reload'],
      };
}

export function unavailable(problem: AgentProblem | undefined): HumanError {
  const { message, remedy } = problem ?? problemOf(undefined);
  return new HumanError('agent_unavailable', message, { remedy });
}

function statusOf({ session, problem }: PanelParts): AgentViewState['status'] {
  if (problem) {
    return 'unavailable';
  }
  if (!session) {
    return 'loading';
  }
  return session.isRunning ? 'running' : 'ready';
}

function titleOf({ entries }: Transcript): string | undefined {
  for (const entry of entries) {
    if (entry.kind === 'user') {
      return conversationTitle(entry.text);
    }
  }
  return undefined;
}
