/** Requests beside the runs of a conversation: without tools, and nothing of them is said in it but what they cost. */
import * as l10n from '@vscode/l10n';
import { linkSignals } from '../../../base/async/cancellation.js';
import type { Disposable } from '../../../base/disposable.js';
import type { RequestLimits } from '../../context/requestLimits.js';
import type { PiModelRuntime, PiSession } from '../../pi/piModule.js';
import { contentText } from '../../transcript/content.js';
import { explainFailure, type ModelFailure } from '../../transcript/modelFailure.js';

export type SideContext = Omit<Parameters<PiModelRuntime['completeSimple']>[1], 'tools'>;

export interface SideRequest {
  /** What it is for, in Pi's file. */
  readonly kind: 'title' | 'aside';
  readonly context: SideContext;
  /** Of the answer. */
  readonly maxTokens: number;
}

export class SideRequests implements Disposable {
  private readonly ended = new AbortController();

  /** @param onDidSpend the conversation has cost more */
  constructor(
    private readonly session: () => PiSession | undefined,
    private readonly limits: Pick<RequestLimits, 'refusal'>,
    private readonly onDidSpend: () => void,
  ) {}

  /** Why none may be sent now, as a sentence. */
  get refusal(): string | undefined {
    return this.limits.refusal;
  }

  /** @returns Markdown, or why there is none. Rejects when the signal aborts or the conversation ends. */
  async ask(
    { kind, context, maxTokens }: SideRequest,
    signal?: AbortSignal,
  ): Promise<string | ModelFailure> {
    const session = this.session();
    const model = session?.model;
    if (!session || !model) {
      return noAnswer(undefined);
    }
    const either = linkSignals(this.ended.signal, signal);
    const answer = await session.modelRuntime
      .completeSimple(model, context, {
        maxTokens: Math.min(maxTokens, model.maxTokens),
        signal: either.signal,
      })
      .finally(() => either.dispose());
    // one that was broken off may be billed, too
    if (this.session() === session && answer.usage.totalTokens > 0) {
      const { provider, model: id, usage } = answer;
      session.sessionManager.appendUsage(`pi-mcp.${kind}`, provider, id, usage);
      this.onDidSpend();
    }
    either.signal.throwIfAborted();
    const isFailed = answer.stopReason === 'error' || answer.stopReason === 'aborted';
    const text = contentText(answer.content.filter(({ type }) => type === 'text'));
    return isFailed || text.trim() === '' ? noAnswer(answer.errorMessage) : text;
  }

  dispose(): void {
    this.ended.abort();
  }
}

function noAnswer(reason: string | undefined): ModelFailure {
  return explainFailure(
    reason ?? l10n.t('The model gave no answer: {0}', l10n.t('no reason given')),
  );
}
