/** Where the caret is in the input. */

const inputSelector = '#composer-text';

export function caretOf(event: Event): number {
  return event.target instanceof HTMLTextAreaElement ? event.target.selectionStart : 0;
}

/** @param selector default: of the input for the next message */
export function currentCaret(selector = inputSelector): number {
  return document.querySelector<HTMLTextAreaElement>(selector)?.selectionStart ?? 0;
}

export function focusComposer(): void {
  document.querySelector<HTMLElement>(inputSelector)?.focus({ preventScroll: true });
}

/** Call when the draft was drawn: a field whose text is set has its caret at the end. @param selector default: of the input for the next message */
export function placeCaret(caret: number, selector = inputSelector): void {
  const area = document.querySelector<HTMLTextAreaElement>(selector);
  area?.focus();
  area?.setSelectionRange(caret, caret);
}

/** In the first line, as it is drawn: there is nothing above it to go to. */
export function isCaretAtStart(area: HTMLTextAreaElement): boolean {
  const before = area.value.slice(0, area.selectionStart);
  return isCollapsed(area) && !before.includes('\n') && isOneRow(before, area);
}

/** In the last line, as it is drawn. */
export function isCaretAtEnd(area: HTMLTextAreaElement): boolean {
  const last = area.value.slice(area.value.lastIndexOf('\n') + 1);
  const isInLast = area.selectionStart >= area.value.length - last.length;
  const isEnd = area.selectionStart === area.value.length;
  return isCollapsed(area) && isInLast && (isEnd || isOneRow(last, area));
}

function isCollapsed({ selectionStart, selectionEnd }: HTMLTextAreaElement): boolean {
  return selectionStart === selectionEnd;
}

function isOneRow(text: string, area: HTMLTextAreaElement): boolean {
  const context = document.createElement('canvas').getContext('2d');
  const { font, paddingLeft, paddingRight } = getComputedStyle(area);
  if (text === '' || !context) {
    return text === '';
  }
  context.font = font;
  const room = area.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
  return context.measureText(text).width < room;
}
