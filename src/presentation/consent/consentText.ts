/** The words of the consent prompt. Runs in plain Node, hence `@vscode/l10n`; both readers share one bundle. */
import * as l10n from '@vscode/l10n';
import type { WorkspaceFolder } from '../../config/definition.js';
import type { ConsentRequest } from '../../mcp/mcpApi.js';
import { trustSentence } from '../../mcp/stateText.js';
import {
  type ChangedLine,
  consentLines,
  diffDescriptions,
} from '../../mcp/trust/descriptionLines.js';
import { commandLine } from '../../platform/commandLine.js';

/** What a dialog of VS Code shows without scrolling in a window of 768 pixels. */
const dialogRows = 24;
const dialogColumns = 50;

/** What waits for consent in one folder. */
export interface FolderRequests {
  readonly folder: WorkspaceFolder;
  readonly requests: readonly ConsentRequest[];
}

export interface ConsentText {
  /** Everything that decides what would run, one block per server; nothing is cut. */
  readonly detail: string;
  /** Else it has to be shown as a document. */
  readonly fitsDialog: boolean;
}

export function consentText(waiting: readonly FolderRequests[]): ConsentText {
  const blocks = waiting.flatMap(({ folder, requests }) =>
    requests.map((request) => requestText(request, folder, waiting.length > 1)),
  );
  const detail = blocks.join('\n\n');
  const rows = detail
    .split('\n')
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / dialogColumns)), 0);
  return { detail, fitsDialog: rows <= dialogRows };
}

/** Everything that is known about the launch; what changed since the user consented, if anything. */
export function requestLines({ reason, description }: ConsentRequest): readonly ChangedLine[] {
  return reason.kind === 'changed'
    ? diffDescriptions(reason.consented, description)
    : consentLines(description).map((line) => ({ ...line, change: 'same' }));
}

/** Why it asks, where the lines do not say so. */
export function requestNote({ reason }: ConsentRequest): string | undefined {
  return ['changed', 'folder_replaced'].includes(reason.kind) ? trustSentence(reason) : undefined;
}

function requestText(
  request: ConsentRequest,
  folder: WorkspaceFolder,
  isFolderNamed: boolean,
): string {
  const name = commandLine([request.name]);
  const title = isFolderNamed
    ? l10n.t('{0}, folder {1}:', name, commandLine([folder.name]))
    : `${name}:`;
  const note = requestNote(request);
  return [
    title,
    ...(note === undefined ? [] : [note]),
    ...requestLines(request).map(changedText),
  ].join('\n');
}

function changedText({ label, text, change }: ChangedLine): string {
  const line = l10n.t('{0}: {1}', label, text);
  switch (change) {
    case 'same':
      return line;
    case 'added':
      return l10n.t('now: {0}', line);
    case 'removed':
      return l10n.t('before: {0}', line);
  }
}
