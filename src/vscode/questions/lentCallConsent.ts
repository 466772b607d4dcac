import * as vscode from 'vscode';
import { callWords } from '../../agent/policy/callWords.js';
import { HumanError } from '../../base/errors.js';
import type { JsonObject } from '../../base/json.js';
import { nameToken } from '../../base/text/nameToken.js';
import { judgeLentCall } from '../../gateway/lending/approvals.js';
import type { ApprovableCall } from '../../gateway/lending/toolCalls.js';
import { currentToolKey } from '../../mcp/catalog/toolKey.js';
import type { ChoiceQuestions, QuestionRow } from '../../mcp/service/questions/choiceQuestions.js';
import type { TextDocuments } from '../documents/textDocuments.js';
import { serverName } from '../workspace/serverName.js';
import type { QuestionQueue } from './questionQueue.js';

export interface LentCallConsentParts {
  readonly queue: QuestionQueue;
  readonly choices: ChoiceQuestions;
  readonly documents: TextDocuments;
  /** The user's setting, by the name of the client. */
  readonly approvals: () => Readonly<Record<string, unknown>>;
}

/** More than this is read in the whole. */
const maxRows = 8;
const maxRowLength = 2_000;

type Decision = 'allow' | 'always' | 'deny';

/** Lets clients of a gateway call tools once the person at the window has agreed. */
export class LentCallConsent {
  private readonly allowed = new Set</* client, tool as it is */ string>();

  constructor(private readonly parts: LentCallConsentParts) {}

  /** A gateway has ended: its clients are asked about again. */
  forget(): void {
    this.allowed.clear();
  }

  /** Rejects with a {@link HumanError} when the call is not to be made; `undefined`: it may be, and nobody was asked. */
  ask(call: ApprovableCall, signal: AbortSignal): Promise<void> | undefined {
    const verdict = judgeLentCall(this.parts.approvals(), call.client.name, call.annotations);
    return verdict === 'allowed' ? undefined : this.decide(call, signal);
  }

  private async decide(call: ApprovableCall, signal: AbortSignal): Promise<void> {
    const key = JSON.stringify([call.client.name, currentToolKey(call.server, call.tool)]);
    const verdict = judgeLentCall(this.parts.approvals(), call.client.name, call.annotations);
    if (verdict === 'refused') {
      throw new HumanError(
        'call_denied',
        vscode.l10n.t(
          'The user lets this program call only tools that read: {0}',
          nameToken(call.client.name),
        ),
      );
    }
    if (verdict === 'allowed' || this.allowed.has(key)) {
      return;
    }
    const { definition } = call.server;
    const text = vscode.l10n.t('Another program calls a tool');
    const show = (shown: AbortSignal) => this.show(call, text, shown);
    const decision = await this.parts.queue.put({ definition, text, show }, signal);
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

  private show(
    { tool, args, client, server: { definition } }: ApprovableCall,
    title: string,
    signal: AbortSignal,
  ): Promise<Decision | undefined> {
    const name = serverName(definition);
    return this.parts.choices.ask<Decision>(
      {
        server: definition.id,
        serverName: name,
        title,
        note: vscode.l10n.t('The name of the program is what it says of itself.'),
        rows: [
          { label: vscode.l10n.t('Program'), text: nameToken(client.name) },
          { label: vscode.l10n.t('Tool'), text: nameToken(tool) },
          { label: vscode.l10n.t('MCP server'), text: name },
          ...argumentRows(tool, args),
        ],
      },
      [
        { label: vscode.l10n.t('Allow Once'), isConsent: true, value: 'allow' },
        {
          label: vscode.l10n.t('Allow This Tool for This Program Until the Gateway Stops'),
          isConsent: true,
          value: 'always',
        },
        { label: vscode.l10n.t('Deny'), isConsent: false, value: 'deny' },
        {
          label: vscode.l10n.t('Show All'),
          isConsent: false,
          act: () => this.parts.documents.show(title, JSON.stringify(args, undefined, 2)),
        },
      ],
      signal,
    );
  }
}

/** A name and its value each, or the whole as JSON where that says more. */
function argumentRows(tool: string, args: JsonObject): readonly QuestionRow[] {
  const words = callWords(tool, args, true);
  if (words?.kind !== 'values' || words.values.length > maxRows) {
    return [{ label: vscode.l10n.t('Arguments'), text: shorten(JSON.stringify(args)) }];
  }
  return words.values.map(({ name, text }) => ({
    label: nameToken(name),
    text: shorten(text),
  }));
}

/** Whoever agrees sees that there is more, which they can have shown. */
function shorten(text: string): string {
  return text.length > maxRowLength ? `${text.slice(0, maxRowLength)}…` : text;
}
