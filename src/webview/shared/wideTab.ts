/** Pixels from which a tab has room for a rail beside the conversation. */
const query = '(min-width: 1000px)';

/** Whether the page is a tab that has room for a rail. */
export function isWideTab(): boolean {
  return document.body.dataset.place === 'tab' && matchMedia(query).matches;
}

export function onDidChangeWidth(listener: () => void): void {
  matchMedia(query).addEventListener('change', listener);
}
