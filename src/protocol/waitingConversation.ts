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
