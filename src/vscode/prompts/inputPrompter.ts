import * as vscode from 'vscode';
import { Sequencer } from '../../base/sequencer.js';
import type { ConfigInput } from '../../mcp/config/configTypes.js';
import type { InputKey, InputStore } from '../../mcp/config/inputs/inputStore.js';
import type { McpPoolId } from '../../mcp/mcpTypes.js';
import type { InputResolver } from '../../mcp/ports.js';

/**
 * Asks once for each `${input:id}` and keeps the answer in the secret storage. A question that the user dismissed
 * comes back only after {@link askAgain}, so that a server that retries does not pester.
 */
export class InputPrompter implements InputResolver {
  private readonly sequencer = new Sequencer();
  private readonly dismissed = new Map<McpPoolId, Set</* input id */ string>>();

  /** @param describe what a pool's files say about an input. */
  constructor(
    private readonly store: InputStore,
    private readonly describe: (key: InputKey) => ConfigInput | undefined,
  ) {}

  /** @inheritdoc */
  resolve(poolId: string, inputId: string): Promise<string | undefined> {
    const key = { poolId, inputId };
    return this.sequencer.queue(async () => {
      const stored = await this.store.get(key);
      if (stored !== undefined || this.dismissed.get(poolId)?.has(inputId)) {
        return stored;
      }
      return this.ask(key);
    });
  }

  /** Lets the questions of a pool that were dismissed be asked again. */
  askAgain(poolId: McpPoolId): void {
    this.dismissed.delete(poolId);
  }

  /** Asks for a new value. `undefined`: the user dismissed the question, and the stored value stays. */
  async ask(key: InputKey): Promise<string | undefined> {
    const answer = await askFor(key.inputId, this.describe(key));
    if (answer === undefined) {
      const ids = this.dismissed.get(key.poolId) ?? new Set();
      this.dismissed.set(key.poolId, ids.add(key.inputId));
      return undefined;
    }
    await this.store.set(key, answer);
    return answer;
  }
}

async function askFor(
  inputId: string,
  input: ConfigInput | undefined,
): Promise<string | undefined> {
  const title = vscode.l10n.t('Value for an MCP server');
  const question = input?.description ?? inputId;
  if (input?.options && input.options.length > 0) {
    const placeHolder = vscode.l10n.t('{0} The choice is kept in the secret storage.', question);
    return vscode.window.showQuickPick(input.options, {
      title,
      placeHolder,
      ignoreFocusOut: true,
    });
  }
  return vscode.window.showInputBox({
    title,
    prompt: vscode.l10n.t(
      'The configuration asks for "{0}". The value is kept in the secret storage of VS Code.',
      question,
    ),
    password: input?.isPassword ?? true,
    ...(input?.defaultValue === undefined ? {} : { value: input.defaultValue }),
    ignoreFocusOut: true,
  });
}
