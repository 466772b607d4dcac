import * as vscode from 'vscode';
import { labelText } from '../../base/text/labelText.js';
import type { McpServerDefinition, McpServerId } from '../../config/definition.js';
import type { LoggerProvider } from '../../config/ports.js';
import type {
  SamplingAnswer,
  SamplingRequest,
} from '../../mcp/connection/session/clientFeatures.js';
import type { SamplingModel } from '../../presentation/questions/samplingModel.js';
import {
  blocksText,
  requestLines,
  requestText,
} from '../../presentation/questions/samplingText.js';
import type { TextDocuments } from '../documents/textDocuments.js';
import type { QuestionQueue } from './questionQueue.js';
import type { Choice, QuestionScreen, ShowResult } from './questionScreen.js';

export interface SamplingConsentParts {
  readonly documents: TextDocuments;
  readonly model: SamplingModel;
  readonly logs: LoggerProvider;
  readonly screen: QuestionScreen;
  readonly queue: QuestionQueue;
  /** The words for the server, and for whom it asks. */
  readonly nameOf: (definition: McpServerDefinition) => string;
}

type Decision = 'whole' | 'allow' | 'always' | 'deny';

interface DecisionOptions {
  readonly title: string;
  readonly placeholder: string;
  readonly whole: () => string;
}

/** Lets a server use the model once the user has seen what it sends, and hands out only answers that the user saw. */
export class SamplingConsent {
  /** Servers that may sample without asking until the window closes. */
  private readonly allowed = new Set<McpServerId>();

  constructor(private readonly parts: SamplingConsentParts) {}

  /** `undefined`: the user refused. */
  async ask(
    definition: McpServerDefinition,
    request: SamplingRequest,
    signal: AbortSignal,
  ): Promise<SamplingAnswer | undefined> {
    const { model, logs } = this.parts;
    const logger = logs.forServer(definition);
    const modelName = await model.name();
    signal.throwIfAborted();
    const isAsked = !this.allowed.has(definition.id);
    if (isAsked && !(await this.mayAsk(definition, request, modelName, signal))) {
      logger.log('info', 'The user refused a sampling request.');
      return undefined;
    }
    const answer = await vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Window,
        title: vscode.l10n.t(
          '{0} answers MCP server "{1}"',
          modelName,
          this.parts.nameOf(definition),
        ),
      },
      () => model.answer(request, signal),
    );
    signal.throwIfAborted();
    // who allowed all of a server's requests has allowed the answers too
    const isSent =
      this.allowed.has(definition.id) || (await this.maySend(definition, answer, signal));
    logger.log(
      'info',
      `${modelName} answered a sampling request; ${isSent ? 'sent' : 'not sent'}.`,
    );
    return isSent ? answer : undefined;
  }

  private async mayAsk(
    definition: McpServerDefinition,
    request: SamplingRequest,
    modelName: string,
    signal: AbortSignal,
  ): Promise<boolean> {
    const title = vscode.l10n.t(
      'MCP server "{0}" asks to use the model {1}',
      this.parts.nameOf(definition),
      modelName,
    );
    const lines = requestLines(request).map((line) => ({
      label: `$(${line.icon}) ${labelText(line.label)}`,
      description: labelText(line.description),
      ...(line.detail === undefined ? {} : { detail: labelText(line.detail) }),
    }));
    const decision = await this.decide(
      definition,
      [
        choice('check', vscode.l10n.t('Allow Once'), 'allow'),
        choice(
          'check-all',
          vscode.l10n.t('Allow This Server Until the Window Closes'),
          'always',
          vscode.l10n.t('Neither its requests nor the answers are shown any more.'),
        ),
        choice('circle-slash', vscode.l10n.t('Deny'), 'deny'),
        choice('file', vscode.l10n.t('Show the Whole Request'), 'whole'),
        separator(vscode.l10n.t('Request')),
        ...lines,
      ],
      {
        title,
        placeholder: vscode.l10n.t('Nothing is sent to the model before you allow it.'),
        whole: () => requestText(request),
      },
      signal,
    );
    if (decision === 'always') {
      this.allowed.add(definition.id);
    }
    return decision === 'allow' || decision === 'always';
  }

  private async maySend(
    definition: McpServerDefinition,
    answer: SamplingAnswer,
    signal: AbortSignal,
  ): Promise<boolean> {
    const text = blocksText(answer.content);
    const decision = await this.decide(
      definition,
      [
        choice('check', vscode.l10n.t('Send Answer'), 'allow'),
        choice('circle-slash', vscode.l10n.t('Discard'), 'deny'),
        choice('file', vscode.l10n.t('Show the Whole Answer'), 'whole'),
        separator(vscode.l10n.t('Answer')),
        { label: `$(comment) ${labelText(answer.model)}`, detail: labelText(text) },
      ],
      {
        title: vscode.l10n.t(
          'Send this answer to MCP server "{0}"?',
          this.parts.nameOf(definition),
        ),
        placeholder: vscode.l10n.t('The server gets nothing else.'),
        whole: () => text,
      },
      signal,
    );
    return decision === 'allow';
  }

  private async decide(
    definition: McpServerDefinition,
    choices: readonly Choice<Decision>[],
    options: DecisionOptions,
    signal: AbortSignal,
  ): Promise<Decision | undefined> {
    const show = (lifetime: AbortSignal) => this.show(choices, options, lifetime);
    const question = { definition, text: options.title, show };
    const decision = await this.parts.queue.put(question, signal);
    return signal.aborted ? undefined : decision;
  }

  private async show(
    choices: readonly Choice<Decision>[],
    options: DecisionOptions,
    signal: AbortSignal,
  ): Promise<ShowResult<Decision>> {
    for (;;) {
      // an Enter that was meant for something else must not allow anything
      const isActive = (index: number) => choices[index]?.value === 'whole';
      const shown = await this.parts.screen.choose(choices, { ...options, isActive }, signal);
      if (shown.kind !== 'answered' || shown.value !== 'whole') {
        return shown;
      }
      await this.parts.documents.show(options.title, options.whole());
    }
  }
}

function choice(
  icon: string,
  label: string,
  value: Decision,
  description?: string,
): Choice<Decision> {
  return {
    label: `$(${icon}) ${label}`,
    ...(description === undefined ? {} : { description }),
    value,
  };
}

function separator(label: string): Choice<Decision> {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}
