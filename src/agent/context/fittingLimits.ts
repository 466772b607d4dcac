/** When a conversation is summarized, and what is kept word for word, so that it fits what the model takes. Pure. */

export interface SummaryLimits {
  /** Tokens that stay free for the summary: above the rest of the window it is made. */
  readonly reserveTokens: number;
  /** Tokens at the end that stay as they are. */
  readonly keepRecentTokens: number;
}

/** Of what it is summarized at, a summary has to leave room. */
export const maxKeptShare = 0.6;

/** @param fixed tokens that every request carries: system prompt, instructions, tools */
function defaultLimits(window: number, fixed: number): SummaryLimits {
  const reserveTokens = clamp(0.2 * window, 4_096, 16_384);
  const keepRecentTokens = clamp(0.3 * (window - fixed - reserveTokens), 2_000, 20_000);
  return { reserveTokens, keepRecentTokens };
}

/** @param own what the user has set */
export function fittingLimits(
  window: number,
  fixed: number,
  own: Partial<SummaryLimits>,
): SummaryLimits {
  const fitting = defaultLimits(window, fixed);
  const reserveTokens = own.reserveTokens ?? fitting.reserveTokens;
  const keepRecentTokens = own.keepRecentTokens ?? fitting.keepRecentTokens;
  // what keeps more than there is at that size is summarized again and again
  const most = Math.max(0, Math.floor(maxKeptShare * (window - reserveTokens)));
  return { reserveTokens, keepRecentTokens: Math.min(keepRecentTokens, most) };
}

function clamp(value: number, least: number, most: number): number {
  return Math.round(Math.min(most, Math.max(least, value)));
}
