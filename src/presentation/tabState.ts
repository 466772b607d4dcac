/** What the page of a tab wrote down, which a reload hands back. Whoever wrote it may have been anybody. */
import { isJsonObject } from '../base/json.js';

export interface TabState {
  readonly conversation?: string | undefined;
  /** URI of its folder. */
  readonly folder?: string | undefined;
  /** Something was said in it. */
  readonly isBegun: boolean;
}

export function readTabState(saved: unknown): TabState {
  const { conversation, folder, isBegun } = isJsonObject(saved) ? saved : {};
  const isId = typeof conversation === 'string' && /^[\w.-]+\.jsonl$/.test(conversation);
  return {
    conversation: isId ? conversation : undefined,
    folder: typeof folder === 'string' ? folder : undefined,
    isBegun: isBegun === true,
  };
}
