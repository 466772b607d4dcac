const headShare = 0.6;
const middleMarker =
  '\n\n[--- MCP_RESULT_TRUNCATED: omitted middle content. Use a smaller scope, narrower filter, or pagination to inspect it. ---]\n\n';

/**
 * A warning, the first 60 % and the last 40 % of `maxCharacters` (UTF-16 units), never half a surrogate pair. The
 * texts are for the model and stay English.
 */
export function truncateMiddle(text: string, maxCharacters: number): string {
  const headLength = Math.floor(maxCharacters * headShare);
  const head = text.slice(0, endBefore(text, headLength));
  const tail = text.slice(startAfter(text, text.length - (maxCharacters - headLength)));
  const omitted = text.length - head.length - tail.length;
  return `${warning(omitted)}${head}${middleMarker}${tail}`;
}

function warning(omitted: number): string {
  const count = new Intl.NumberFormat('en-US').format(omitted);
  const tokens = Math.round(omitted / 4);
  return `MCP_RESULT_TRUNCATED: ${count} characters (~${tokens} tokens) were omitted from the middle of this tool result. Do not assume the missing content was irrelevant. Next step: call the MCP tool again with a smaller scope, narrower filter, or pagination to inspect the omitted content.\n\n`;
}

function endBefore(text: string, index: number): number {
  return isInsidePair(text, index) ? index - 1 : index;
}

function startAfter(text: string, index: number): number {
  return isInsidePair(text, index) ? index + 1 : index;
}

function isInsidePair(text: string, index: number): boolean {
  const before = text.charCodeAt(index - 1);
  const after = text.charCodeAt(index);
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}
