/** What the page shows beside the conversation, as data. */
import * as l10n from '@vscode/l10n';
import type { Workspace } from '../../config/ports.js';
import type { AgentViewState } from '../../protocol/agentProtocol.js';
import type { RestoreView } from '../../protocol/restoring.js';
import type { AgentMode } from '../../protocol/tools/modes.js';
import type { LiveConversation } from '../live/liveConversation.js';
import { modelView } from '../models/models.js';
import { levelText } from '../models/thinking.js';
import type { PiControls } from '../pi/controls.js';
import { modeViews } from '../policy/modeWords.js';
import type { ShownSessions } from './shownSessions.js';

export interface PanelParts {
  readonly sessions: ShownSessions;
  readonly workspace: Workspace;
  readonly restore: RestoreView | undefined;
  /** Of all folders, in the order in which they began to wait for the user. */
  readonly waiting: readonly LiveConversation[];
  /** `full` or `compact`. */
  readonly cards: string;
  /** Of a conversation that does not exist yet. */
  readonly defaultMode: AgentMode;
}

export function panelState(parts: PanelParts): AgentViewState {
  const { sessions, workspace } = parts;
  const { shown: conversation, currentProblem: problem } = sessions;
  const session = conversation?.session;
  const isRestricted = !workspace.isTrusted;
  const folders = workspace.folders.map(({ uri, name }) => ({
    uri,
    name,
    waiting: parts.waiting
      .filter(({ key }) => key === uri)
      .reduce((sum, { waiting }) => sum + waiting, 0),
  }));
  const folder = workspace.folders.find(({ uri }) => uri === sessions.folder);
  const title = conversation?.title;
  return {
    status: statusOf(sessions),
    problem,
    folder: folder && { uri: folder.uri, name: folder.name },
    folders: sessions.isTab ? [] : folders,
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
    mode: session?.mode.value ?? (isRestricted ? 'ask' : parts.defaultMode),
    modes: isRestricted ? [] : modeViews(),
    isRestricted,
  };
}

function thinkingView({ thinkingLevels, thinkingLevel, wantedLevel }: PiControls) {
  return thinkingLevels.length > 1
    ? { thinking: { text: levelText(thinkingLevel, wantedLevel) } }
    : {};
}

/** Those that began after the shown one come first, so that going from one to the next reaches all of them. */
function waitingViews({ waiting, sessions, workspace }: PanelParts): AgentViewState['waiting'] {
  const { shown: conversation } = sessions;
  const { folders } = workspace;
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

function statusOf({ shown, currentProblem }: ShownSessions): AgentViewState['status'] {
  if (currentProblem) {
    return 'unavailable';
  }
  if (!shown) {
    return 'loading';
  }
  return shown.session.isRunning ? 'running' : 'ready';
}
