/** The words in which a value for `${input:id}` is asked for. Runs in plain Node, hence `@vscode/l10n`. */
import * as l10n from '@vscode/l10n';
import { nameToken } from '../../base/text/nameToken.js';
import { quoteText, showText } from '../../base/text/showText.js';
import type { ConfigInput, McpServerDefinition } from '../../config/definition.js';
import { variablesOf } from '../../config/launch/variables.js';
import { launchLine } from '../../mcp/trust/launchLines.js';

export interface InputQuestion {
  readonly title: string;
  readonly prompt: string;
}

/**
 * Who asks, for what, and where the answer goes: the repository may have written all of it but the frame.
 * @param asking the server that needs the value now; `undefined` when the user changes a stored one.
 */
export function inputQuestion(
  inputId: string,
  input: ConfigInput | undefined,
  asking: McpServerDefinition | undefined,
): InputQuestion {
  const question = quoteText(input?.description ?? inputId);
  if (!asking) {
    return {
      title: l10n.t('Value for MCP servers'),
      prompt: l10n.t(
        'New value for the input {0}: {1}. It is kept in the secret storage of VS Code.',
        showText(inputId),
        question,
      ),
    };
  }
  const { folder } = asking;
  return {
    title: folder
      ? l10n.t('MCP server of the folder {0}: {1}', showText(folder.name), nameToken(asking.name))
      : l10n.t('Your MCP server: {0}', nameToken(asking.name)),
    prompt: l10n.t(
      'It asks: {0}. The value goes to {1}, and is kept in the secret storage of VS Code as {2}.',
      question,
      destination(inputId, asking),
      showText(inputId),
    ),
  };
}

/** Fields of the entry, and what runs or is addressed with them. */
function destination(inputId: string, { launch }: McpServerDefinition): string {
  if (!launch) {
    return l10n.t('the server');
  }
  const uses = variablesOf(launch).filter(({ kind, name }) => kind === 'input' && name === inputId);
  const fields = [...new Set(uses.map(({ field }) => showText(field)))].join(', ');
  return launch.kind === 'stdio'
    ? l10n.t('{0} of the command {1}', fields, launchLine(launch))
    : l10n.t('{0} of the address {1}', fields, launchLine(launch));
}
