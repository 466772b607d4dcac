import * as vscode from 'vscode';
import { Sequencer } from '../../base/async/sequencer.js';
import { labelText } from '../../base/text/labelText.js';
import type { ConfigInput, McpPoolId, McpServerDefinition } from '../../config/definition.js';
import type { InputKey, InputStore } from '../../config/inputs/inputStore.js';
import type { InputResolver } from '../../config/ports.js';
import { type InputQuestion, inputQuestion } from '../../presentation/questions/inputQuestion.js';

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

  resolve(
    poolId: string,
    inputId: string,
    asking: McpServerDefinition,
    signal?: AbortSignal,
  ): Promise<string | undefined> {
    const key = { poolId, inputId };
    return this.sequencer.queue(async () => {
      signal?.throwIfAborted();
      const stored = await this.store.get(key);
      if (stored !== undefined || this.dismissed.get(poolId)?.has(inputId)) {
        return stored;
      }
      return this.ask(key, asking, signal);
    });
  }

  /** Lets the questions of a pool that were dismissed be asked again. */
  askAgain(poolId: McpPoolId): void {
    this.dismissed.delete(poolId);
  }

  /**
   * Asks for a new value. `undefined`: the user dismissed the question, and the stored value stays.
   * @param asking the server that needs it; default: the user wants to change it.
   */
  async ask(
    key: InputKey,
    asking?: McpServerDefinition,
    signal?: AbortSignal,
  ): Promise<string | undefined> {
    const input = this.describe(key);
    const answer = await askFor(inputQuestion(key.inputId, input, asking), input, signal);
    signal?.throwIfAborted();
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
  question: InputQuestion,
  input: ConfigInput | undefined,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const taken = new vscode.CancellationTokenSource();
  const takeBack = () => taken.cancel();
  signal?.addEventListener('abort', takeBack, { once: true });
  try {
    return await showQuestion(question, input, taken.token);
  } finally {
    signal?.removeEventListener('abort', takeBack);
    taken.dispose();
  }
}

async function showQuestion(
  { title, prompt }: InputQuestion,
  input: ConfigInput | undefined,
  token: vscode.CancellationToken,
): Promise<string | undefined> {
  if (input?.options && input.options.length > 0) {
    const items = input.options.map((value) => ({ label: labelText(value), value }));
    const options = { title, placeHolder: prompt, ignoreFocusOut: true };
    return (await vscode.window.showQuickPick(items, options, token))?.value;
  }
  return await vscode.window.showInputBox(
    {
      title,
      prompt,
      password: input?.isPassword ?? true,
      ...(input?.defaultValue === undefined ? {} : { value: input.defaultValue }),
      ignoreFocusOut: true,
    },
    token,
  );
}
