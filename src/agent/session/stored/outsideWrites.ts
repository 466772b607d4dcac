/**
 * What another program wrote into the file of a conversation. Pi in a terminal takes no lock: it appends, as we do, each
 * entry behind the last one that it knows.
 */
import type { JsonObject } from '../../../base/json.js';
import { readTextFileSync } from '../../../platform/boundedFile.js';
import { endOfConversation } from '../../conversations/conversationEnd.js';
import { maxConversationBytes, parseStored } from '../../conversations/storedEntry.js';
import type { PiSessionManager } from '../../pi/piModule.js';

export interface OutsideWrites {
  /** In the order of the file, without their line breaks. */
  readonly lines: readonly string[];
  /** They begin where this conversation ends, and nothing was said here since. */
  readonly isContinued: boolean;
  /** The other program is in the middle of a run. */
  readonly isUnfinished: boolean;
}

/**
 * At once, since Pi may append next.
 * @throws Node's error or {@link HumanError} when the file cannot be read.
 */
export function outsideWrites(
  path: string,
  manager: Pick<PiSessionManager, 'getEntry' | 'getLeafId'>,
): OutsideWrites | undefined {
  const parents = new Map</* entry id */ string, string>();
  const entries: JsonObject[] = [];
  const lines: string[] = [];
  let last = '';
  for (const line of readTextFileSync(path, maxConversationBytes).split('\n')) {
    const entry = parseStored(line);
    last = entry?.id ?? last;
    if (entry && !manager.getEntry(entry.id)) {
      parents.set(entry.id, String(entry.parentId ?? ''));
      entries.push(entry);
      lines.push(line);
    }
  }
  if (lines.length === 0) {
    return undefined;
  }
  let from = last;
  for (let steps = parents.size; steps > 0 && parents.has(from); steps--) {
    from = parents.get(from) ?? '';
  }
  return {
    lines,
    isContinued: parents.has(last) && from === (manager.getLeafId() ?? ''),
    isUnfinished: endOfConversation(entries.toReversed()) === 'interrupted',
  };
}
