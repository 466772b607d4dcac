/** What the user runs in the folder of a conversation by themselves. Nobody else can: no model, server or file. */
import { stripVTControlCharacters } from 'node:util';
import * as l10n from '@vscode/l10n';
import type { Disposable } from '../../base/disposable.js';
import { errorMessage, HumanError } from '../../base/errors.js';
import type { TokenCounter } from '../../mcp/catalog/tokens/tokenEstimate.js';
import { capResult } from '../context/resultCap.js';
import type { PiSession } from '../pi/piModule.js';
import type { UserCommandInput } from '../transcript/calls/userCommand.js';
import { resultTail } from '../transcript/content.js';
import type { ShellCalls } from './shellCalls.js';

export interface UserCommandsParts {
  readonly session: () => PiSession | undefined;
  readonly show: (input: UserCommandInput) => void;
  readonly countTokens: TokenCounter;
  /** Files may have changed, and what the next request says. */
  readonly onDidEnd: () => void;
}

export class UserCommands implements Disposable {
  private stopping: AbortController | undefined;
  private running: Promise<void> | undefined;

  /** @param shell `undefined` in Restricted Mode */
  constructor(
    private readonly parts: UserCommandsParts,
    private readonly shell: () => ShellCalls | undefined,
  ) {}

  get isRunning(): boolean {
    return this.running !== undefined;
  }

  /** @param isPrivate the model does not get it. @throws {HumanError} when it may not, or another one runs */
  start(command: string, isPrivate: boolean): void {
    const shell = this.shell();
    if (!shell) {
      throw new HumanError(
        'restricted_mode',
        l10n.t('Restricted Mode: nothing in this workspace is started.'),
        { remedy: l10n.t('Trust the workspace.') },
      );
    }
    if (this.running) {
      throw new HumanError('run_under_way', l10n.t('Your last command is still running.'), {
        remedy: l10n.t('Wait until it has finished, or stop it first.'),
      });
    }
    this.stopping = new AbortController();
    this.running = this.run(shell, { command, isPrivate }, this.stopping.signal).finally(() => {
      this.running = undefined;
      this.parts.onDidEnd();
    });
  }

  /** Resolves when nothing runs. */
  async stop(): Promise<void> {
    this.stopping?.abort();
    await this.running;
  }

  dispose(): void {
    this.stopping?.abort();
  }

  /** Never rejects. */
  private async run(
    shell: ShellCalls,
    line: Pick<UserCommandInput, 'command' | 'isPrivate'>,
    signal: AbortSignal,
  ): Promise<void> {
    const { show, session } = this.parts;
    const input = { type: 'user_command', ...line } as const;
    show({ ...input, output: '' });
    try {
      const { output, ...end } = await shell.run(line.command, signal, (text) =>
        show({ ...input, output: tailOf(plainText(text)) }),
      );
      const kept = line.isPrivate ? plainText(output) : this.cap(plainText(output));
      show({ ...input, output: kept, end });
      session()?.recordBashResult(
        line.command,
        {
          output: kept,
          exitCode: end.exitCode,
          cancelled: end.isStopped,
          truncated: end.isCut,
          fullOutputPath: end.fullOutput,
        },
        { excludeFromContext: line.isPrivate },
      );
    } catch (error) {
      const end = { isStopped: signal.aborted, isCut: false };
      show({ ...input, output: errorMessage(error), end });
    }
  }

  /** As much as any result may fill. */
  private cap(output: string): string {
    const window = this.parts.session()?.model?.contextWindow ?? Number.POSITIVE_INFINITY;
    const { countTokens } = this.parts;
    const [block] = capResult([{ type: 'text', text: output }], {
      window,
      countTokens,
      keeps: 'end',
    });
    return block?.type === 'text' ? block.text : output;
  }
}

/** A terminal that shows the conversation does not obey it. */
function plainText(text: string): string {
  return stripVTControlCharacters(text).replace(/(?![\n\t])\p{Cc}/gu, '');
}

function tailOf(text: string): string {
  const [block] = resultTail([{ kind: 'text', text }]).result;
  return block?.kind === 'text' ? block.text : text;
}
