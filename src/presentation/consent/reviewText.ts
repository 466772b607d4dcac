/**
 * What waits for consent as a document to read at leisure; nothing of it is cut. Its lines are those of a difference,
 * so that VS Code colours what changed. Runs in plain Node, hence `@vscode/l10n`; both readers share one bundle.
 */

import * as l10n from '@vscode/l10n';
import { addAll } from '../../base/lists.js';
import { showText } from '../../base/text/showText.js';
import type { ConsentRequest } from '../../mcp/mcpApi.js';
import type { ChangedLine } from '../../mcp/trust/descriptionLines.js';
import { commitText, type LastCommit } from '../../mcp/trust/lastCommit.js';
import { type FolderRequests, requestLines, requestNote } from './consentText.js';

/** Characters of a line. VS Code draws only the first 10,000 of one. */
const lineLength = 90;

export interface ReviewSource {
  readonly path: string;
  readonly commit?: LastCommit | undefined;
}

export function reviewText(
  waiting: readonly FolderRequests[],
  sourceOf: (request: ConsentRequest) => ReviewSource | undefined,
): string {
  const all = waiting.flatMap(({ folder, requests }) =>
    requests.map((request) => ({ folder, request })),
  );
  const lines = [
    all.length === 1
      ? l10n.t('1 MCP server waits for your review.')
      : l10n.t('{0} MCP servers wait for your review.', all.length),
    l10n.t('Nothing of it runs before you agree. Without an answer nothing changes.'),
    '',
    l10n.t('Answer above the first line, in the title of this editor, or in the Command Palette.'),
    l10n.t('"Trust These Servers Only" covers exactly what stands here.'),
    l10n.t('"Trust Folder" also covers servers that are added or changed later.'),
    '',
  ];
  for (const [index, { folder, request }] of all.entries()) {
    const place = l10n.t('{0} of {1}', index + 1, all.length);
    lines.push(
      `@@ ${place} @@ ${l10n.t('server {0}, folder {1}', showText(request.name), showText(folder.name))}`,
    );
    addAll(lines, section(request, sourceOf(request)));
    lines.push('');
  }
  return lines.join('\n');
}

function section(request: ConsentRequest, source: ReviewSource | undefined): readonly string[] {
  const note = requestNote(request);
  return [
    ...(note === undefined ? [] : wrapped('  ', note)),
    ...requestLines(request).flatMap((line) => wrapped(marks[line.change], lineText(line))),
    ...(source ? wrapped('  ', l10n.t('declared in: {0}', showText(source.path))) : []),
    ...(source?.commit
      ? wrapped('  ', l10n.t('last commit of this file: {0}', commitText(source.commit)))
      : []),
  ];
}

const marks: Readonly<Record<ChangedLine['change'], string>> = {
  same: '  ',
  added: '+ ',
  removed: '- ',
};

function lineText({ label, text }: ChangedLine): string {
  return l10n.t('{0}: {1}', label, text);
}

/** Each part of a long line begins with the mark, so that no text of a file can pass for a line of ours. */
function wrapped(mark: string, text: string): readonly string[] {
  const characters = [...text];
  const lines = [mark + characters.slice(0, lineLength).join('')];
  for (let at = lineLength; at < characters.length; at += lineLength) {
    lines.push(`${mark}    ${characters.slice(at, at + lineLength).join('')}`);
  }
  return lines;
}
