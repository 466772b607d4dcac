import { getLocation } from 'jsonc-parser';
import type { TextRange } from '../../config/definition.js';

/** The JSON string value around an offset, quotes excluded; `undefined` at a property name or elsewhere. */
export function stringValueAt(text: string, offset: number): TextRange | undefined {
  const { previousNode, isAtPropertyKey } = getLocation(text, offset);
  if (isAtPropertyKey || previousNode?.type !== 'string') {
    return undefined;
  }
  const start = previousNode.offset + 1;
  const last = previousNode.offset + previousNode.length;
  const isClosed = previousNode.length > 1 && text[last - 1] === '"';
  const end = isClosed ? last - 1 : last;
  return offset >= start && offset <= end ? { start, end } : undefined;
}

/** What the user has typed of `${…` before the offset, from the dollar sign on. */
export function openVariableAt(text: string, offset: number): TextRange | undefined {
  const value = stringValueAt(text, offset);
  if (!value) {
    return undefined;
  }
  const before = text.slice(value.start, offset);
  const opened = before.indexOf('${', before.lastIndexOf('}') + 1);
  const start = opened === -1 && before.endsWith('$') ? before.length - 1 : opened;
  if (start === -1) {
    return undefined;
  }
  const rest = /^[\w:]*\}?/.exec(text.slice(offset, value.end))?.[0] ?? '';
  return { start: value.start + start, end: offset + rest.length };
}
