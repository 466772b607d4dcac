/** A conversation that waits for the user. */
export interface WaitingConversation {
  readonly id: string;
  readonly title: string;
  /** Name of its folder, when there are several. */
  readonly folder?: string;
  /** Its questions. */
  readonly count: number;
  readonly isShown: boolean;
}

/** What a conversation tells somebody who does not look: it waits for the user, has its answer, or could not go on. */
export type NewsKind = 'asks' | 'answered' | 'failed';
