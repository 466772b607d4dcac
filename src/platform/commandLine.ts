import { quoteText, showText } from '../base/text/showText.js';

/**
 * An argument vector as one line that shows where each argument ends and hides nothing: what holds blanks or quotes,
 * or cannot be seen, stands in quotes with escapes. For display; not meant for a shell.
 */
export function commandLine(argv: readonly string[]): string {
  return argv.map((arg) => (/[\s"']/.test(arg) ? quoteText(arg) : showText(arg))).join(' ');
}
