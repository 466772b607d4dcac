import type { McpProgress } from './mcpTypes.js';

/** Progress of a call in a few words. */
export function progressText({ progress, total, message }: McpProgress): string {
  const count = total === undefined ? String(progress) : `${progress}/${total}`;
  return message ? `${message} (${count})` : count;
}
