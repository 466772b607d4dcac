/** What mends a text with one syntax error. */
import * as l10n from '@vscode/l10n';
import { createScanner } from 'jsonc-parser';
import { parseJsonDocument } from '../parse/jsonDocument.js';
import type { QuickFix } from './quickFixes.js';

const marks = [',', ':', '"', '}', ']'] as const;

/** One character, or the brackets that are missing at the end: only where nothing is wrong with the text then. */
export function syntaxFixes(text: string): readonly QuickFix[] {
  const { error } = parseJsonDocument(text);
  if (!error) {
    return [];
  }
  const behindToken = text.slice(0, error.range.start).trimEnd().length;
  const end = text.trimEnd().length;
  const candidates = [
    ...marks.map((content) => ({ offset: behindToken, content })),
    // a string that is not closed is itself the place of the error
    { offset: error.range.end, content: '"' },
    { offset: end, content: missingClosers(text) },
  ];
  const found = candidates.find(
    ({ offset, content }) =>
      content !== '' &&
      parseJsonDocument(text.slice(0, offset) + content + text.slice(offset)).error === undefined,
  );
  return found
    ? [
        {
          title: l10n.t('Insert the Missing {0}', found.content),
          edits: [{ ...found, length: 0 }],
          isPreferred: true,
        },
      ]
    : [];
}

function missingClosers(text: string): string {
  const scanner = createScanner(text, true);
  const open: string[] = [];
  for (scanner.scan(); scanner.getTokenOffset() < text.length; scanner.scan()) {
    switch (scanner.getTokenLength() === 1 && text[scanner.getTokenOffset()]) {
      case '{':
        open.push('}');
        break;
      case '[':
        open.push(']');
        break;
      case '}':
      case ']':
        open.pop();
        break;
    }
  }
  // more are no slip
  return open.length <= 4 ? open.reverse().join('') : '';
}
