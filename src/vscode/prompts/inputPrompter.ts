import * as vscode from 'vscode';
import { Sequencer } from '../../base/sequencer.js';
import type { InputResolver, SecretStore } from '../../mcp/ports.js';

/** Asks once for each `${input:id}` and keeps the answer in the secret storage. */
export class InputPrompter implements InputResolver {
  private readonly sequencer = new Sequencer();

  constructor(private readonly secrets: SecretStore) {}

  resolve(poolId: string, inputId: string): Promise<string | undefined> {
    return this.sequencer.queue(async () => {
      const key = `input:${poolId}:${inputId}`;
      const stored = await this.secrets.get(key);
      if (stored !== undefined) {
        return stored;
      }
      const answer = await vscode.window.showInputBox({
        title: vscode.l10n.t('Value for an MCP server'),
        prompt: vscode.l10n.t(
          'The configuration asks for "{0}". The value is kept in the secret storage of VS Code.',
          inputId,
        ),
        password: true,
        ignoreFocusOut: true,
      });
      if (answer !== undefined) {
        await this.secrets.store(key, answer);
      }
      return answer;
    });
  }
}
