import * as l10n from '@vscode/l10n';

/** Characters. */
const maxTitleLength = 80;

/** What a conversation is called: the beginning of its first request, in one line. */
export function conversationTitle(request: string): string {
  // cut first: a request can be a whole file
  const line = request.slice(0, 1_000).replace(/\s+/g, ' ').trim();
  const characters = [...line];
  return characters.length > maxTitleLength
    ? `${characters.slice(0, maxTitleLength - 1).join('')}…`
    : line || l10n.t('Untitled');
}
