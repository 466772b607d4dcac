/** What a file would hold without what the agent did to it. Pure; nothing that others wrote is ever lost unasked. */
import { mergeTexts } from './merge.js';
import { type Content, sameContent, textOfBytes } from './version.js';

/** A stretch in which nobody but the agent changed the file. */
export interface LoadedLink {
  readonly before: Content;
  readonly after: Content;
  /** Others wrote in what counts as the agent's. */
  readonly isMixed?: boolean;
}

export type UndoPlan =
  | { readonly kind: 'nothing' }
  /** `absent`: the file goes. */
  | { readonly kind: 'write'; readonly content: Buffer | 'absent'; readonly isMerged: boolean }
  /** What others wrote would be lost. `content`: what the user may choose all the same. */
  | {
      readonly kind: 'conflict';
      readonly reason: 'edited' | 'deleted';
      readonly content: Buffer | 'absent';
    }
  | { readonly kind: 'impossible' };

/**
 * @param links oldest first
 * @param preferred of lines that others changed as well: what was before the agent, or what there is now
 */
export function planUndo(
  links: readonly LoadedLink[],
  current: Content,
  preferred: 'ours' | 'theirs' = 'ours',
): UndoPlan {
  if (current === 'unread' || links.some(({ before }) => before === 'unread')) {
    return { kind: 'impossible' };
  }
  let content: Buffer | 'absent' = current;
  let isMerged = false;
  let reason: 'edited' | 'deleted' | undefined;
  for (const link of links.toReversed()) {
    const step = undoLink(link, content, preferred);
    content = step.content;
    isMerged ||= step.isMerged ?? false;
    reason ??= link.isMixed ? 'edited' : step.reason;
  }
  if (sameContent(content, current)) {
    return { kind: 'nothing' };
  }
  return reason ? { kind: 'conflict', reason, content } : { kind: 'write', content, isMerged };
}

/** The file without what the agent did, as it is compared with what the file holds now. */
export function baselineOf(
  links: readonly LoadedLink[],
  current: Content,
  preferred: 'ours' | 'theirs' = 'ours',
): Content {
  const plan = planUndo(links, current, preferred);
  switch (plan.kind) {
    case 'nothing':
      return current;
    case 'impossible':
      return 'unread';
    default:
      return plan.content;
  }
}

/** What a file becomes that others changed since an undo; `undefined` where others changed the same lines since. */
export function mergedRedo(undone: Content, wanted: Content, now: Content): Buffer | undefined {
  const [base, ours, theirs] = [undone, wanted, now].map(textOfBytes);
  if (base === undefined || ours === undefined || theirs === undefined) {
    return undefined;
  }
  const { text, conflicts } = mergeTexts(base, ours, theirs, 'theirs');
  return conflicts > 0 ? undefined : Buffer.from(text);
}

interface Step {
  readonly content: Buffer | 'absent';
  readonly isMerged?: boolean;
  readonly reason?: 'edited' | 'deleted' | undefined;
}

function undoLink(
  { before, after }: LoadedLink,
  now: Buffer | 'absent',
  preferred: 'ours' | 'theirs',
): Step {
  if (before === 'unread' || sameContent(now, before)) {
    return { content: now };
  }
  if (sameContent(now, after)) {
    return { content: before };
  }
  if (now === 'absent') {
    // deleted since, or moved elsewhere
    return before === 'absent'
      ? { content: now }
      : { content: preferred === 'ours' ? before : now, reason: 'deleted' };
  }
  const texts = [after, before, now].map(textOfBytes);
  const [base, ours, theirs] = texts;
  if (base === undefined || ours === undefined || theirs === undefined) {
    return { content: preferred === 'ours' ? before : now, reason: 'edited' };
  }
  const { text, conflicts } = mergeTexts(base, ours, theirs, preferred);
  return {
    content: Buffer.from(text),
    isMerged: true,
    reason: conflicts > 0 ? 'edited' : undefined,
  };
}
