/** What a field holds when it tells of a change. */
export function textOf(event: Event): string {
  return (event.target as { value?: unknown } | null)?.value?.toString() ?? '';
}

export function isChecked(event: Event): boolean {
  return (event.target as { checked?: unknown } | null)?.checked === true;
}

/** Custom elements can take the focus only after they have drawn themselves. */
export function focusLater(selector: string): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(selector)?.focus());
}
