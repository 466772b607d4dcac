import type { ObservableValue } from '../../base/valueEmitter.js';
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
    'service' | 'machine' | 'editors' | 'tools' | 'extensions' | 'titles'
  > {
  readonly loadPi: PiLoader;
  /** Absolute; conversations are kept under it. */
  readonly storageDir: string;
  /** Of conversations in which the user has not chosen another. A workspace must not be able to set it. */
  readonly defaultMode: ObservableValue<AgentMode>;
  readonly modelSources: ModelSources;
  readonly conversations: ConversationSettings;
  /** What servers ask the user. */
  readonly questions: WaitingServers;
  /** Default: the running Node's. */
  readonly nodeVersion?: string;
}

/** How conversations are kept. */
export interface ConversationSettings {
  /** Absolute path of the file that remembers which conversations this workspace shows. */
  readonly memoryPath: string;
  /** Where they are kept; read whenever one is begun or looked for. Default: with us. */
  readonly keeper?: () => ConversationKeeper;
  /** Read whenever they are tidied up. */
  readonly limits: () => ConversationLimits;
}

/** Where models come from beside the user's Pi, and which of them the user wants. */
export interface ModelSources {
  readonly memory: ModelMemory;
  /** Default: the editor lends none. */
  readonly editor?: EditorModels;
  /** Ports of this machine on which model servers may listen. Default: those that known ones use. */
  readonly localPorts?: readonly number[];
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
