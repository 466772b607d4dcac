/** A draft that is a line to be run: it says so before it is. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { readCommandLine } from '../../../base/text/commandLine.js';
import { icon } from '../../shared/icon.js';
import type { AgentPageState } from '../pageState.js';

export function commandModeText({ draft, state }: AgentPageState): string | undefined {
  const line = readCommandLine(draft);
  if (!line) {
    return undefined;
  }
  if (state?.isRestricted) {
    return l10n.t('Restricted Mode: nothing in this workspace is started.');
  }
  return line.isPrivate
    ? l10n.t('Command: runs in the folder, and the model does not get the output')
    : l10n.t('Command: runs in the folder, and the model gets the output');
}

export function commandMode(model: AgentPageState): TemplateResult | typeof nothing {
  const text = commandModeText(model);
  return text === undefined
    ? nothing
    : html`<p id="composer-mode" class="command-mode">${icon('terminal')}<span>${text}</span></p>`;
}
