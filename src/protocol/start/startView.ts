/** What a conversation shows before its first message: where to go on, and which servers it can use. */
import type { MessageMap } from '../messages.js';

export interface StartView {
  /** Whose conversations and servers these are. Absent in a window without folders. */
  readonly folder?: string;
  /** Other conversations, those that need the user first. */
  readonly recent: readonly RecentConversation[];
  /** Absent while no server is configured. */
  readonly servers?: StartServers;
}

export interface RecentConversation {
  readonly id: string;
  readonly title: string;
  /** Age, and the state that is worth a word. */
  readonly facts: string;
  /** Name of a codicon; `~spin` appended makes it turn. */
  readonly icon: string;
}

export interface StartServers {
  /** How many are ready. */
  readonly text: string;
  /** What keeps the others, each with the next step. */
  readonly steps: readonly ServerStep[];
}

export interface ServerStep {
  readonly kind: ServerStepKind;
  readonly text: string;
  /** Id of the server, where it is about one alone. */
  readonly server?: string;
}

export const serverStepKinds = ['review', 'signIn', 'show'] as const;
export type ServerStepKind = (typeof serverStepKinds)[number];

export interface StartEvents extends MessageMap {
  /** While nothing was said in the conversation. */
  start: { params: StartView; result: undefined };
}

export interface StartRequests extends MessageMap {
  /** Goes on with a stored conversation of the folder; the one before goes on. */
  openConversation: { params: { id: string }; result: undefined };
  takeServerStep: { params: { kind: ServerStepKind; server?: string }; result: undefined };
}
