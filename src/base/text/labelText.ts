/** Text from outside in the lines that VS Code offers to choose from. */
import { showHiddenInLine } from './showHidden.js';

/** A text may hold what VS Code would draw as an icon. */
export function withoutIcons(text: string): string {
  return text.replaceAll('$(', '$\u200b(');
}

/** In one line; what hides or turns text is written as an escape, and nothing becomes an icon. */
export function labelText(text: string): string {
  return withoutIcons(showHiddenInLine(text.replace(/\s+/g, ' ')));
}
