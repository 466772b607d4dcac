import type { ObservableValue } from '../../base/valueEmitter.js';
import type { Workspace } from '../../config/ports.js';
import type { FileWatcher } from '../../platform/ports.js';
import type { AgentMode } from '../../protocol/tools/modes.js';
import type { ConversationLimits } from '../conversations/conversations.js';
import type { ConversationKeeper } from '../conversations/places.js';
import type { EditorModels } from '../models/editor/port.js';
import type { ModelRef } from '../models/models.js';
import type { ThinkingLevel } from '../pi/controls.js';
import type { PiLoader } from '../pi/piModule.js';
import type { AgentSessionOptions } from '../session/piSession.js';
import type { WaitingServers } from './liveConversation.js';

export interface SessionHostOptions
  extends Pick<
    AgentSessionOptions,
    'service' | 'environment' | 'logger' | 'editors' | 'tools' | 'extensions' | 'titles'
  > {
  readonly loadPi: PiLoader;
  readonly workspace: Workspace;
  /** Absolute; conversations are kept under it. */
  readonly storageDir: string;
  /** Of conversations in which the user has not chosen another. A workspace must not be able to set it. */
  readonly defaultMode: ObservableValue<AgentMode>;
  readonly modelMemory: ModelMemory;
  /** Default: the editor lends no models. */
  readonly editorModels?: EditorModels;
  /** Absolute path of the file that remembers which conversations this workspace shows. */
  readonly conversationMemoryPath: string;
  /** Where conversations are kept; read whenever one is begun or looked for. Default: with us. */
  readonly conversationKeeper?: () => ConversationKeeper;
  /** Tells of what other programs write into conversations. Default: it is found when a message is sent. */
  readonly watcher?: FileWatcher;
  /** What servers ask the user. Default: nothing. */
  readonly questions?: WaitingServers;
  /** Read whenever conversations are tidied up. */
  readonly conversationLimits: () => ConversationLimits;
  /** Ports of this machine on which model servers may listen. Default: those that known ones use. */
  readonly localModelPorts?: readonly number[];
  /** Default: `$PI_CODING_AGENT_DIR`, else `~/.pi/agent`. */
  readonly agentDir?: string;
  /** Default: the running Node's. */
  readonly nodeVersion?: string;
}

/** Remembers the user's choice of a model. */
export interface ModelMemory {
  recall(): ModelRef | undefined;
  remember(model: ModelRef): Promise<void>;
  /** Newest first. */
  readonly recent: readonly ModelRef[];
  /** In the order in which the user pinned them. */
  readonly pinned: readonly ModelRef[];
  pin(model: ModelRef, isPinned: boolean): Promise<void>;
  /** How much the user lets the model think. */
  level(model: ModelRef): ThinkingLevel | undefined;
  rememberLevel(model: ModelRef, level: ThinkingLevel): Promise<void>;
}
