import * as vscode from 'vscode';
import { callWords } from '../../agent/policy/callWords.js';
import { HumanError } from '../../base/errors.js';
import type { JsonObject } from '../../base/json.js';
import { labelText } from '../../base/text/labelText.js';
import type { judgeLentCall } from '../../gateway/lending/approvals.js';
import type { ApprovableCall } from '../../gateway/lending/endpoint.js';
import type { TextDocuments } from '../documents/textDocuments.js';
import { serverName } from '../workspace/serverName.js';
import type { QuestionQueue } from './questionQueue.js';
import type { Choice, QuestionScreen, ShowResult } from './questionScreen.js';

export interface LentCallConsentParts {
  readonly queue: QuestionQueue;
  readonly screen: QuestionScreen;
  readonly documents: TextDocuments;
  /** The user's setting, by the name of the client. */
  readonly approvals: () => Readonly<Record<string, unknown>>;
}

/** More than this is read in the whole. */
const maxLines = 8;
const maxLineLength = 300;

type Decision = 'whole' | 'allow' | 'always' | 'deny';

/** Lets clients of a gateway call tools once the person at the window has agreed. */
export class LentCallConsent {
  private readonly allowed = new Set</* client, server, tool */ string>();
  /** Loaded with the first call. */
  private judge: typeof judgeLentCall | undefined;

  constructor(private readonly parts: LentCallConsentParts) {}

  /** A gateway has ended: its clients are asked about again. */
  forget(): void {
    this.allowed.clear();
  }

  /** Rejects with a {@link HumanError} when the call is not to be made; `undefined`: it may be, and nobody was asked. */
  ask(call: ApprovableCall, signal: AbortSignal): Promise<void> | undefined {
    const verdict = this.judge?.(this.parts.approvals(), call.client.name, call.annotations);
    return verdict === 'allowed' ? undefined : this.decide(call, signal);
  }

  private async decide(call: ApprovableCall, signal: AbortSignal): Promise<void> {
    const key = JSON.stringify([call.client.name, call.server.id, call.tool]);
    this.judge ??= (await import('../../gateway/lending/approvals.js')).judgeLentCall;
    const verdict = this.judge(this.parts.approvals(), call.client.name, call.annotations);
    if (verdict === 'refused') {
      throw new HumanError(
        'call_denied',
        vscode.l10n.t('The user lets program "{0}" call only tools that read.', call.client.name),
      );
    }
    if (verdict === 'allowed' || this.allowed.has(key)) {
      return;
    }
    const { definition } = call.server;
    const title = vscode.l10n.t(
      'Program "{0}" calls the tool "{1}" of MCP server "{2}"',
      call.client.name,
      call.tool,
      serverName(definition),
    );
    const show = (shown: AbortSignal) => this.show(call, title, shown);
    const decision = await this.parts.queue.put({ definition, text: title, show }, signal);
    signal.throwIfAborted();
    if (decision === 'always') {
      this.allowed.add(key);
    }
    if (decision !== 'allow' && decision !== 'always') {
      throw new HumanError(
        'call_denied',
        vscode.l10n.t('The user of the window did not allow the call.'),
      );
    }
  }

  private async show(
    { tool, args }: ApprovableCall,
    title: string,
    signal: AbortSignal,
  ): Promise<ShowResult<Decision>> {
    const whole = JSON.stringify(args, undefined, 2);
    const choices: readonly Choice<Decision>[] = [
      { label: `$(check) ${vscode.l10n.t('Allow Once')}`, value: 'allow' },
      {
        label: `$(check-all) ${vscode.l10n.t('Allow This Tool for This Program Until the Gateway Stops')}`,
        value: 'always',
      },
      { label: `$(circle-slash) ${vscode.l10n.t('Deny')}`, value: 'deny' },
      {
        label: `$(file) ${vscode.l10n.t('Show All Arguments')}`,
        value: 'whole',
      },
      { label: vscode.l10n.t('Arguments'), kind: vscode.QuickPickItemKind.Separator },
      ...argumentLines(tool, args),
    ];
    const placeholder = vscode.l10n.t('The name is what the program says of itself.');
    for (;;) {
      // an Enter that was meant for something else must not allow anything
      const isActive = (index: number) => choices[index]?.value === 'whole';
      const shown = await this.parts.screen.choose(
        choices,
        { title, placeholder, isActive },
        signal,
      );
      if (shown.kind !== 'answered' || shown.value !== 'whole') {
        return shown;
      }
      await this.parts.documents.show(title, whole);
    }
  }
}

/** Lines to read: a name and its value each, or the whole as JSON where that says more. */
function argumentLines(tool: string, args: JsonObject): readonly Choice<Decision>[] {
  const words = callWords(tool, args, true);
  if (words?.kind !== 'values' || words.values.length > maxLines) {
    return [{ label: labelText(JSON.stringify(args).slice(0, maxLineLength)) }];
  }
  return words.values.map(({ name, text }) => ({
    label: labelText(name),
    detail: labelText(text.slice(0, maxLineLength)),
  }));
}
