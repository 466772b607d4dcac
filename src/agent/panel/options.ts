import type { ObservableValue } from '../../base/valueEmitter.js';
import type { AgentViewState } from '../../protocol/agentProtocol.js';
import type { SessionHostOptions } from '../live/options.js';

/** What else shows conversations, each in a place of its own. */
export interface ConversationTabs {
  /** Shows a conversation where it is. @returns false when it has no place of its own */
  reveal(id: string): boolean;
  /** @param id default: a new one */
  open(folder: string, id: string | undefined): Promise<void>;
}

export interface AgentPanelOptions extends SessionHostOptions {
  /** How calls are shown. Default: `compact`. */
  readonly cards?: ObservableValue<string>;
  /** Default: there are none. */
  readonly tabs?: ConversationTabs;
  /** Asks the user once in each folder whether everything may run there. Default: they agree. */
  readonly agreeToRunFreely?: (folder: AgentViewState['folder']) => Promise<boolean>;
}
