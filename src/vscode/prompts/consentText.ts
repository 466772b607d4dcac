/** The words of the consent prompt. Runs in plain Node, hence `@vscode/l10n`; both readers share one bundle. */
import * as l10n from '@vscode/l10n';
import { commandLine } from '../../mcp/commandLine.js';
import type { ConsentRequest } from '../../mcp/mcpApi.js';
import type { WorkspaceFolder } from '../../mcp/mcpTypes.js';
import {
  type ChangedLine,
  type DescriptionLine,
  describeLines,
  diffDescriptions,
} from '../../mcp/trust/descriptionLines.js';

/** What waits for consent in one folder. */
export interface FolderRequests {
  readonly folder: WorkspaceFolder;
  readonly requests: readonly ConsentRequest[];
}

export interface ConsentText {
  readonly detail: string;
  /** False when something had to be cut: then the file has to be read before deciding. */
  readonly isComplete: boolean;
}

/** Everything that decides what would run, one block per server. */
export function consentText(waiting: readonly FolderRequests[]): ConsentText {
  const blocks = waiting.flatMap(({ folder, requests }) =>
    requests.map((request) => requestText(request, folder, waiting.length > 1)),
  );
  return { detail: blocks.join('\n\n'), isComplete: true };
}

function requestText(
  { name: written, reason, description }: ConsentRequest,
  folder: WorkspaceFolder,
  isFolderNamed: boolean,
): string {
  const name = commandLine([written]);
  const title = isFolderNamed
    ? l10n.t('{0}, folder {1}:', name, commandLine([folder.name]))
    : `${name}:`;
  const lines =
    reason.kind === 'changed'
      ? diffDescriptions(reason.consented, description).map(changedText)
      : describeLines(description).map(lineText);
  return [title, ...lines].join('\n');
}

function lineText({ label, text }: DescriptionLine): string {
  return l10n.t('{0}: {1}', label, text);
}

function changedText(line: ChangedLine): string {
  const text = lineText(line);
  switch (line.change) {
    case 'same':
      return text;
    case 'added':
      return l10n.t('now: {0}', text);
    case 'removed':
      return l10n.t('before: {0}', text);
  }
}
