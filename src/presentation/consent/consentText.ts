/** The words of a question about consent. Runs in plain Node, hence `@vscode/l10n`; both readers share one bundle. */
import * as l10n from '@vscode/l10n';
import type { ConsentRequest } from '../../mcp/mcpApi.js';
import { trustSentence } from '../../mcp/trouble/trouble.js';
import {
  type ChangedLine,
  consentLines,
  diffDescriptions,
} from '../../mcp/trust/descriptionLines.js';
import { commandLine } from '../../platform/commandLine.js';

/** Everything that decides what would run, one block for each server; nothing is cut. */
export function consentText(requests: readonly ConsentRequest[]): string {
  return requests.map(requestText).join('\n\n');
}

/** Everything that is known about the launch; what changed since the user consented, if anything. */
export function requestLines({ reason, description }: ConsentRequest): readonly ChangedLine[] {
  return reason.kind === 'changed'
    ? diffDescriptions(reason.consented, description)
    : consentLines(description).map((line) => ({ ...line, change: 'same' }));
}

/** Why it asks, where the lines do not say so. */
export function requestNote({ reason }: ConsentRequest): string | undefined {
  const isUsual = reason.kind === 'never_consented' || reason.kind === 'sensitive_remote';
  return isUsual ? undefined : trustSentence(reason);
}

function requestText(request: ConsentRequest): string {
  const note = requestNote(request);
  return [
    `${commandLine([request.name])}:`,
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
