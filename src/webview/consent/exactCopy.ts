/** What is copied from the page is the text itself, not the escapes that are drawn in its place. */

/** Stands for an escape while its surroundings become text; in a value it would be an escape itself. */
const stand = '\u{f0000}';

export function copyExactly(): void {
  document.addEventListener('copy', (event) => {
    const text = exactSelection(document.getSelection());
    if (text !== undefined) {
      event.clipboardData?.setData('text/plain', text);
      event.preventDefault();
    }
  });
}

/** `undefined`: no escape is in it, so that the browser copies it as it is. */
function exactSelection(selection: Selection | null): string | undefined {
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) {
    return undefined;
  }
  const range = selection.getRangeAt(0);
  const { commonAncestorContainer: inside } = range;
  const around = inside instanceof Element ? inside : inside.parentElement;
  const only = around?.closest<HTMLElement>('[data-exact]');
  if (only) {
    return only.dataset.exact;
  }
  const copy = document.createElement('div');
  copy.className = 'copied';
  copy.append(range.cloneContents());
  const escapes = [...copy.querySelectorAll<HTMLElement>('[data-exact]')];
  if (escapes.length === 0) {
    return undefined;
  }
  for (const shown of escapes) {
    shown.textContent = stand;
  }
  document.body.append(copy);
  // biome-ignore lint/performance/useDomNodeTextContent: the text with the line ends of its layout
  const text = copy.innerText;
  copy.remove();
  const exact = escapes.values();
  return text.replaceAll(stand, () => exact.next().value?.dataset.exact ?? '');
}
