import * as vscode from 'vscode';
import { raceWithSignal } from '../../base/async/cancellation.js';
import { Sequencer } from '../../base/async/sequencer.js';
import { Emitter } from '../../base/event.js';
import { labelText } from '../../base/text/labelText.js';
import type {
  ConfigInput,
  McpPoolId,
  McpServerDefinition,
  McpServerId,
} from '../../config/definition.js';
import type { InputKey, InputStore } from '../../config/inputs/inputStore.js';
import type { InputResolver } from '../../config/ports.js';
import { type InputQuestion, inputQuestion } from '../../presentation/questions/inputQuestion.js';
import type { QuestionQueue } from '../questions/questionQueue.js';
import { withToken } from '../workspace/cancelling.js';

export interface InputPrompterParts {
  readonly store: InputStore;
  /** What a pool's files say about an input. */
  readonly describe: (key: InputKey) => ConfigInput | undefined;
  /** Resolves when the user comes to the question. False: they leave it. */
  readonly invite: QuestionQueue['invite'];
}

/**
 * Asks once for each `${input:id}` and keeps the answer in the secret storage. Where no click of the user led to the
 * question, it takes the keyboard only once they call for it. One that the user dismissed comes back only after
 * {@link askAgain}, so that a server that retries does not pester.
 */
export class InputPrompter implements InputResolver {
  private readonly invitations = new Sequencer();
  private readonly boxes = new Sequencer();
  private readonly dismissed = new Map<McpPoolId, Set</* input id */ string>>();
  /** The user wants them to start now. */
  private readonly wanted = new Map<McpServerId, /* the last who wants it */ symbol>();
  private readonly wantEmitter = new Emitter<McpServerId>();

  constructor(private readonly parts: InputPrompterParts) {}

  async resolve(
    poolId: string,
    inputId: string,
    asking: McpServerDefinition,
    signal?: AbortSignal,
  ): Promise<string | undefined> {
    const key = { poolId, inputId };
    const ask = async () => await this.boxes.queue(() => this.askUnlessKnown(key, asking, signal));
    const stored = await this.parts.store.get(key);
    // what is known or wanted now waits for no user who has not come to another question
    if (stored !== undefined || this.wanted.has(asking.id)) {
      return stored ?? (await ask());
    }
    const called = new AbortController();
    const hearing = this.wantEmitter.event((id) => id === asking.id && called.abort());
    const invited = this.invitations.queue(async () => {
      signal?.throwIfAborted();
      const known = await this.parts.store.get(key);
      if (known !== undefined || this.isDismissed(key) || called.signal.aborted) {
        return known;
      }
      const text = vscode.l10n.t('It needs a value to start.');
      const until = AbortSignal.any([called.signal, ...(signal ? [signal] : [])]);
      const isCome = await this.parts.invite({ definition: asking, text }, until);
      signal?.throwIfAborted();
      if (!isCome && !called.signal.aborted) {
        return this.dismiss(key);
      }
      return called.signal.aborted ? undefined : await ask();
    });
    try {
      return await raceWithSignal(invited, called.signal);
    } catch (error) {
      if (!called.signal.aborted) {
        throw error;
      }
      return await ask();
    } finally {
      hearing.dispose();
    }
  }

  /** Lets the questions of a pool that were dismissed be asked again. */
  askAgain(poolId: McpPoolId): void {
    this.dismissed.delete(poolId);
  }

  /**
   * The user wants the server to start now: until the work ends, its questions come at once, also one that waits
   * already or was dismissed.
   */
  async whileWanted<T>(
    { id, poolId }: McpServerDefinition,
    work: () => PromiseLike<T>,
  ): Promise<T> {
    this.askAgain(poolId);
    const mine = Symbol();
    this.wanted.set(id, mine);
    this.wantEmitter.fire(id);
    try {
      return await work();
    } finally {
      if (this.wanted.get(id) === mine) {
        this.wanted.delete(id);
      }
    }
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
    const input = this.parts.describe(key);
    const answer = await withToken(signal, (token) =>
      showQuestion(inputQuestion(key.inputId, input, asking), input, token),
    );
    signal?.throwIfAborted();
    if (answer === undefined) {
      return this.dismiss(key);
    }
    await this.parts.store.set(key, answer);
    return answer;
  }

  private async askUnlessKnown(
    key: InputKey,
    asking: McpServerDefinition,
    signal: AbortSignal | undefined,
  ): Promise<string | undefined> {
    signal?.throwIfAborted();
    const known = await this.parts.store.get(key);
    return known === undefined && !this.isDismissed(key)
      ? await this.ask(key, asking, signal)
      : known;
  }

  private isDismissed({ poolId, inputId }: InputKey): boolean {
    return this.dismissed.get(poolId)?.has(inputId) === true;
  }

  private dismiss({ poolId, inputId }: InputKey): undefined {
    const ids = this.dismissed.get(poolId) ?? new Set();
    this.dismissed.set(poolId, ids.add(inputId));
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
      value: input?.defaultValue,
      ignoreFocusOut: true,
    },
    token,
  );
}
