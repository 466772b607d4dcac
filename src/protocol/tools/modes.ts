/** How much runs without a question, as the user alone chooses it for a conversation. */

export const agentModes = ['ask', 'acceptEdits', 'plan', 'runFreely'] as const;
export type AgentMode = (typeof agentModes)[number];

/** A mode to choose. */
export interface ModeView {
  readonly mode: AgentMode;
  readonly name: string;
  /** What runs and what asks, in a sentence or two. */
  readonly text: string;
  /** Name of a codicon. */
  readonly icon: string;
}

export function isAgentMode(value: unknown): value is AgentMode {
  return agentModes.some((one) => one === value);
}

/** Where a key goes from each: never into running freely, which has to be chosen by name. */
export function nextMode(mode: AgentMode): AgentMode {
  const turn: readonly AgentMode[] = ['ask', 'acceptEdits', 'plan'];
  return turn[(turn.indexOf(mode) + 1) % turn.length] ?? 'ask';
}
