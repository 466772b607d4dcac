/** The words of a question about consent. Runs in plain Node, hence `@vscode/l10n`; both readers share one bundle. */
import * as l10n from '@vscode/l10n';
import { quotedName } from '../../base/text/nameToken.js';
import { showText } from '../../base/text/showText.js';
import type { ConsentRequest, McpPool } from '../../mcp/mcpApi.js';
import type { DefinitionChange } from '../../mcp/mcpTypes.js';
import { trustSentence } from '../../mcp/trouble/trouble.js';
import { definitionLines } from '../../mcp/trust/definitionLines.js';
import {
  type ChangedLine,
  changedText,
  consentLines,
  diffDescriptions,
} from '../../mcp/trust/descriptionLines.js';
import { launchLines } from '../../mcp/trust/launchLines.js';
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

/** What changed, and what a model reads meanwhile. */
export function changeSentence({ kind, name, before, shown }: DefinitionChange): string {
  const text = whatChanged(kind, name, before !== undefined);
  switch (shown) {
    case 'before':
      return l10n.t('{0} Models read the text before until you accept this one.', text);
    case 'nothing':
      return l10n.t('{0} No model gets it until you accept it.', text);
    case 'now':
      return l10n.t('{0} It is in use.', text);
  }
}

function whatChanged(kind: DefinitionChange['kind'], name: string, wasThere: boolean): string {
  const what =
    kind === 'instructions' ? kindWords[kind]() : `${kindWords[kind]()} ${quotedName(name)}`;
  return wasThere
    ? l10n.t('Changed since you trusted the server: {0}.', what)
    : l10n.t('New since you trusted the server: {0}.', what);
}

const kindWords: Readonly<Record<DefinitionChange['kind'], () => string>> = {
  tool: () => l10n.t('tool'),
  prompt: () => l10n.t('prompt'),
  skill: () => l10n.t('skill'),
  instructions: () => l10n.t('instructions'),
};

/** Everything that changed, one block for each definition; nothing is cut. */
export function definitionsText(server: string, changes: readonly DefinitionChange[]): string {
  return changes
    .map((change) =>
      [
        `${commandLine([server])}: ${changeSentence(change)}`,
        ...definitionLines(change).map(changedText),
      ].join('\n'),
    )
    .join('\n\n');
}

function requestText(request: ConsentRequest): string {
  const note = requestNote(request);
  return [
    `${commandLine([request.name])}:`,
    ...(note === undefined ? [] : [note]),
    ...requestLines(request).map(changedText),
  ].join('\n');
}

/** Everything that the named servers do now; nothing of it is cut. */
export function changesText({ servers }: McpPool, names: readonly string[]): string {
  return servers
    .filter(({ definition }) => names.includes(definition.name))
    .map(({ definition: { name, launch, origin } }) =>
      [
        `${showText(name)}:`,
        ...(launch ? launchLines(launch) : []).map(({ label, text }) =>
          l10n.t('{0}: {1}', label, text),
        ),
        l10n.t('from: {0}', showText(origin.path)),
      ].join('\n'),
    )
    .join('\n\n');
}
