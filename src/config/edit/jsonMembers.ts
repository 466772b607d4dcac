/**
 * Members of objects and arrays as text: what is added can be removed again without a trace, and comments stay where
 * they are.
 */
import type { Node } from 'jsonc-parser';
import type { TextRange } from '../definition.js';
import { nodeRange } from '../parse/jsonDocument.js';
import {
  applyEdits,
  commaAfter,
  endOfLine,
  indentAt,
  isBlank,
  isClosedOnLine,
  isFirstOnLine,
  isMultiline,
  lineStart,
  nextLine,
  skipBlanks,
  skipBlanksBack,
  styleOf,
  type TextEdit,
} from './jsonText.js';

/** The text of a member for a place. @param isLong it has lines of its own, indented by `indent`. */
type RenderMember = (indent: string, isLong: boolean) => string;

/** The text with a member more, in front of the one at `index` or behind the last one. */
export function insertMember(
  text: string,
  container: Node,
  index: number,
  render: RenderMember,
): string {
  const members = membersOf(container);
  const previous = members[index - 1];
  if (previous) {
    return insertBehind(text, previous, render);
  }
  const [first] = members;
  return first ? insertInFront(text, first, render) : insertOnly(text, container, render);
}

/** The text without some members; an object or array that is left with white space of several lines is closed. */
export function removeMembers(
  text: string,
  container: Node,
  isGone: (member: TextRange, index: number) => boolean,
): string {
  const members = membersOf(container);
  const lastKept = members.findLastIndex((member, index) => !isGone(member, index));
  const edits: TextEdit[] = [];
  let keptComma: number | undefined;
  for (const [index, member] of members.entries()) {
    const comma = commaAfter(text, member.end);
    if (!isGone(member, index)) {
      keptComma = comma;
    } else {
      let { end } = member;
      if (comma !== undefined && isBlank(text, member.end, comma)) {
        end = comma + 1;
      } else if (comma !== undefined) {
        edits.push({ start: comma, end: comma + 1, text: '' });
      } else if (keptComma !== undefined) {
        edits.push({ start: keptComma, end: keptComma + 1, text: '' });
      }
      edits.push(
        withSurroundings(
          text,
          { start: member.start, end },
          {
            previousEnd: keptComma === undefined ? undefined : keptComma + 1,
            isLast: index > lastKept,
            opening: container.offset + 1,
          },
        ),
      );
    }
  }
  return lastKept === -1 ? withoutLines(text, container, edits) : applyEdits(text, edits);
}

/** Whole properties of an object, items of an array; incomplete ones too. */
export function membersOf(container: Node): readonly TextRange[] {
  return (container.children ?? []).map(nodeRange);
}

// #region insertion

/** Whether lines of the container hold one member each: then a new one gets its own. */
function isAlone(text: string, member: TextRange): boolean {
  const behind = behindMember(text, member);
  return (
    isFirstOnLine(text, member.start) &&
    (endOfLine(text, behind) !== undefined || isClosedOnLine(text, behind))
  );
}

/** Behind the comma, if there is one. */
function behindMember(text: string, { end }: TextRange): number {
  return (commaAfter(text, end) ?? end - 1) + 1;
}

function insertBehind(text: string, previous: TextRange, render: RenderMember): string {
  const hasOwnLine = isAlone(text, previous);
  const indent = indentAt(text, previous.start);
  const behind = behindMember(text, previous);
  const at = hasOwnLine ? (endOfLine(text, behind) ?? behind) : behind;
  const content = (hasOwnLine ? styleOf(text).eol + indent : ' ') + render(indent, hasOwnLine);
  return commaAfter(text, previous.end) === undefined
    ? applyEdits(text, [
        { start: previous.end, end: at, text: `,${text.slice(previous.end, at)}${content}` },
      ])
    : applyEdits(text, [{ start: at, end: at, text: `${content},` }]);
}

function insertInFront(text: string, next: TextRange, render: RenderMember): string {
  const hasOwnLine = isAlone(text, next);
  const indent = indentAt(text, next.start);
  const gap = hasOwnLine ? styleOf(text).eol + indent : ' ';
  const content = `${render(indent, hasOwnLine)},${gap}`;
  return applyEdits(text, [{ start: next.start, end: next.start, text: content }]);
}

function insertOnly(text: string, container: Node, render: RenderMember): string {
  const { eol, unit } = styleOf(text);
  const start = container.offset + 1;
  const closing = container.offset + container.length - 1;
  const inner = text.slice(start, closing);
  const outerIndent = indentAt(text, container.offset);
  const indent = outerIndent + unit;
  if (inner.trim() !== '') {
    const behindComment = start + inner.trimEnd().length;
    const lineEnd = endOfLine(text, behindComment);
    const at = lineEnd ?? behindComment;
    const isLong = lineEnd !== undefined;
    const content = (isLong ? eol + indent : ' ') + render(indent, isLong);
    return applyEdits(text, [{ start: at, end: at, text: content }]);
  }
  const content = isMultiline(text)
    ? `${eol}${indent}${render(indent, true)}${eol}${outerIndent}`
    : inner + render(indent, false) + inner;
  return applyEdits(text, [{ start, end: closing, text: content }]);
}

// #endregion

// #region removal

interface Surroundings {
  /** Behind the comma of the member before. */
  readonly previousEnd: number | undefined;
  readonly isLast: boolean;
  /** Behind the bracket that opens the container. */
  readonly opening: number;
}

/** The whole line when nothing else stands on it, else the member with the blanks that would be left over. */
function withSurroundings(
  text: string,
  { start, end }: TextRange,
  { previousEnd, isLast, opening }: Surroundings,
): TextEdit {
  const isFirst = isFirstOnLine(text, start);
  if (isFirst && isBlank(text, end, nextLine(text, end))) {
    return { start: lineStart(text, start), end: nextLine(text, end), text: '' };
  }
  const edit = (from: number, to: number) => ({ start: from, end: to, text: '' });
  const blanks = Math.max(skipBlanksBack(text, start), previousEnd ?? opening);
  if (previousEnd !== undefined && !isFirst) {
    return edit(blanks, end);
  }
  const isOnLineOfBracket = isLast && isClosedOnLine(text, end);
  if (previousEnd !== undefined && isOnLineOfBracket && isBlank(text, previousEnd, start)) {
    return edit(previousEnd, end);
  }
  const isBehindComment = isLast && !isFirst && blanks > opening;
  return isBehindComment ? edit(blanks, end) : edit(start, skipBlanks(text, end));
}

/** Nothing but lines without content between two brackets is layout of what was there. */
function withoutLines(text: string, container: Node, edits: readonly TextEdit[]): string {
  const edited = applyEdits(text, edits);
  const start = container.offset + 1;
  const closing = container.offset + container.length - 1 - (text.length - edited.length);
  const inner = edited.slice(start, closing);
  return inner.trim() === '' && inner.includes('\n')
    ? edited.slice(0, start) + edited.slice(closing)
    : edited;
}

// #endregion
