/** Goes through the conversation by keys: from the input to what was said last, from there to the others, into one, and back. */

const inputSelector = '#composer-text';
const controlSelector =
  'a[href], button:enabled, vscode-button:not([disabled]), select, textarea, summary, [tabindex="0"]';

/** Does nothing for a key that somebody has taken. */
export function walkOnKey(event: KeyboardEvent): void {
  const { target, defaultPrevented, isComposing, altKey, ctrlKey, metaKey } = event;
  const isPlain = !defaultPrevented && !isComposing && !altKey && !ctrlKey && !metaKey;
  if (isPlain && target instanceof HTMLElement && walk(event, target)) {
    event.preventDefault();
  }
}

/** @returns whether the key was for the conversation */
function walk({ key, shiftKey }: KeyboardEvent, target: HTMLElement): boolean {
  if (target.matches(inputSelector)) {
    return key === 'Tab' && shiftKey && focusEntry(entries().at(-1));
  }
  const entry = target.closest<HTMLElement>('#transcript [data-entry]');
  if (!entry || shiftKey) {
    return false;
  }
  if (key === 'Escape') {
    document.querySelector<HTMLElement>(inputSelector)?.focus();
    return true;
  }
  return target === entry && walkFrom(entry, key);
}

function walkFrom(entry: HTMLElement, key: string): boolean {
  const all = entries();
  const at = all.indexOf(entry);
  switch (key) {
    case 'ArrowUp':
      return focusEntry(all[Math.max(0, at - 1)]);
    case 'ArrowDown':
      return focusEntry(all[Math.min(all.length - 1, at + 1)]);
    case 'Home':
      return focusEntry(all[0]);
    case 'End':
      return focusEntry(all.at(-1));
    case 'Enter': {
      const inside = [...entry.querySelectorAll<HTMLElement>(controlSelector)];
      const first = inside.find((one) => one.checkVisibility());
      first?.focus();
      return first !== undefined;
    }
    default:
      return false;
  }
}

function entries(): readonly HTMLElement[] {
  const all = document.querySelectorAll<HTMLElement>('#transcript [data-entry]');
  return [...all].filter((one) => one.checkVisibility());
}

function focusEntry(entry: HTMLElement | undefined): boolean {
  if (!entry) {
    return false;
  }
  // a click on an entry is for the transcript, which scrolls by keys
  entry.tabIndex = -1;
  entry.addEventListener('blur', () => entry.removeAttribute('tabindex'), { once: true });
  entry.focus({ preventScroll: true });
  entry.scrollIntoView({ block: 'nearest' });
  return true;
}
