/** What the user sees and does of the context of the shown conversation. */
import * as l10n from '@vscode/l10n';
import { HumanError } from '../../base/errors.js';
import type { ContextView } from '../../protocol/context.js';
import type { AgentSession } from '../session/agentSession.js';

export class PanelContext {
  /** @param session of the shown conversation; `undefined` when there is none */
  constructor(private readonly session: () => AgentSession | undefined) {}

  /** Goes through the whole conversation. */
  read(): ContextView | undefined {
    return this.session()?.context.read();
  }

  /** Does not wait: the transcript says how it goes. @throws {HumanError} while something runs, which Pi would end */
  compact(focus: string | undefined): void {
    const session = this.session();
    if (session?.isRunning) {
      throw new HumanError('run_under_way', l10n.t('Pi is still working.'), {
        remedy: l10n.t('Wait until it has finished, or stop it first.'),
      });
    }
    session?.controls.compact(focus);
  }

  /** Of a summary that is being made, by whomever. */
  cancelCompaction(): void {
    this.session()?.controls.cancelCompaction();
  }

  retryNow(): void {
    this.session()?.retries.sendNow();
  }

  /** @param id of the summary in the file. @throws {HumanError} while something runs, or when there is no such summary */
  async undoCompaction(id: string): Promise<void> {
    const session = this.session();
    await session?.branches.undoSummary(id);
    const usage = session?.context.usage;
    if (!usage) {
      return;
    }
    const { tokens, contextWindow, compactsAt } = usage;
    if (tokens > contextWindow) {
      session.tell(
        l10n.t(
          'The whole conversation does not fit: {0} tokens, and the model takes {1}. Choose a model with a larger context, or summarize it again.',
          tokens.toLocaleString(),
          contextWindow.toLocaleString(),
        ),
      );
    } else if (compactsAt !== undefined && tokens > compactsAt) {
      session.tell(
        l10n.t(
          'The whole conversation has {0} tokens, so the next message summarizes it again: that happens above {1}.',
          tokens.toLocaleString(),
          compactsAt.toLocaleString(),
        ),
      );
    }
  }
}
