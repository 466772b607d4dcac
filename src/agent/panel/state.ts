/** What the page shows beside the conversation, as data. */
import * as l10n from '@vscode/l10n';
import type { AgentViewState } from '../../protocol/agentProtocol.js';
import type { RestoreView } from '../../protocol/restoring.js';
import type { AgentMode } from '../../protocol/tools/modes.js';
import type { FolderKey, LiveConversation } from '../live/liveConversation.js';
import { type AgentProblem, modelView } from '../models/models.js';
import { levelText } from '../models/thinking.js';
import type { PiControls } from '../pi/controls.js';
import { modeViews } from '../policy/modeWords.js';

export interface PanelParts {
  readonly shown: FolderKey;
  /** It shows one conversation and no other. */
  readonly isTab: boolean;
  readonly conversation: LiveConversation | undefined;
  readonly restore: RestoreView | undefined;
  readonly problem: AgentProblem | undefined;
  readonly folders: readonly { readonly uri: string; readonly name: string }[];
  /** Of all folders, in the order in which they began to wait for the user. */
  readonly waiting: readonly LiveConversation[];
  /** `full` or `compact`. */
  readonly cards: string;
  /** Of a conversation that does not exist yet. */
  readonly defaultMode: AgentMode;
  readonly isRestricted: boolean;
}

export function panelState(parts: PanelParts): AgentViewState {
  const { conversation, problem } = parts;
  const session = conversation?.session;
  const folders = parts.folders.map(({ uri, name }) => ({
    uri,
    name,
    waiting: parts.waiting
      .filter(({ key }) => key === uri)
      .reduce((sum, { waiting }) => sum + waiting, 0),
  }));
  const folder = parts.folders.find(({ uri }) => uri === parts.shown);
  const title = conversation?.title;
  return {
    status: statusOf(parts),
    problem,
    folder: folder && { uri: folder.uri, name: folder.name },
    folders: parts.isTab ? [] : folders,
    title,
    waiting: waitingViews(parts),
    model: session?.model && modelView(session.model),
    ...(session && thinkingView(session.controls)),
    tools: session?.choice.counts ?? { mcp: 0, builtIn: 0, all: 0, stamp: 0 },
    approvals: session?.approvals.open ?? [],
    activity: session?.activity,
    aside: session?.side.aside.view,
    queue: session?.queue.view ?? { messages: [] },
    changes: session?.builtInCalls.summary.view,
    todo: session?.transcript.todo,
    unsaved: session?.conversation?.unsaved,
    restore: parts.restore,
    usage: session?.context.usage,
    cards: parts.cards === 'full' ? 'full' : undefined,
    mode: session?.mode.value ?? parts.defaultMode,
    modes: parts.isRestricted ? [] : modeViews(),
    isRestricted: parts.isRestricted,
  };
}

function thinkingView({ thinkingLevels, thinkingLevel, wantedLevel }: PiControls) {
  return thinkingLevels.length > 1
    ? { thinking: { text: levelText(thinkingLevel, wantedLevel) } }
    : {};
}

/** Those that began after the shown one come first, so that going from one to the next reaches all of them. */
function waitingViews({ waiting, conversation, folders }: PanelParts): AgentViewState['waiting'] {
  const at = conversation ? waiting.indexOf(conversation) + 1 : 0;
  return [...waiting.slice(at), ...waiting.slice(0, at)].map((one) => {
    const { id, key, title = l10n.t('New Conversation'), waiting: count } = one;
    const folder = folders.length > 1 && folders.find(({ uri }) => uri === key);
    return {
      id,
      title,
      count,
      isShown: one === conversation,
      folder: folder ? folder.name : undefined,
    };
  });
}

function statusOf({ conversation, problem }: PanelParts): AgentViewState['status'] {
  if (problem) {
    return 'unavailable';
  }
  if (!conversation) {
    return 'loading';
  }
  return conversation.session.isRunning ? 'running' : 'ready';
}
