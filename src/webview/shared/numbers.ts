/** Numbers in the words of the display language. */
import * as l10n from '@vscode/l10n';

export function countText(value: number, options?: Intl.NumberFormatOptions): string {
  return value.toLocaleString(document.documentElement.lang || undefined, options);
}

/** Of US dollars. */
export function costText(cost: number): string {
  return `$${cost.toFixed(cost < 0.1 ? 4 : 2)}`;
}

/** @param share of 1 */
export function percentText(share: number): string {
  return l10n.t('{0} %', countText(Math.round(share * 100)));
}

/**
 * Such as *31k*, *2.1k*.
 * @param digits default: whole thousands, from ten thousand on
 */
export function shortCount(value: number, digits?: number): string {
  const text = countText(value, { notation: 'compact', maximumSignificantDigits: digits });
  return text.replace('K', 'k');
}

/** Such as `0:34`. */
export function clockText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
