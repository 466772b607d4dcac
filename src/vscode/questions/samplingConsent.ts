import * as vscode from 'vscode';
import { quotedName } from '../../base/text/nameToken.js';
import type { McpServerDefinition } from '../../config/definition.js';
import { hashOf } from '../../config/launch/launchHash.js';
import type { LoggerProvider } from '../../config/ports.js';
import type {
  SamplingAnswer,
  SamplingRequest,
} from '../../mcp/connection/session/clientFeatures.js';
import type {
  AboutServer,
  Choice,
  ChoiceQuestion,
  ChoiceQuestions,
} from '../../mcp/service/questions/choiceQuestions.js';
import type { SamplingModel } from '../../presentation/questions/samplingModel.js';
import { blocksText, requestRows, requestText } from '../../presentation/questions/samplingText.js';
import type { TextDocuments } from '../documents/textDocuments.js';
import { serverName } from '../workspace/serverName.js';
import type { QuestionQueue } from './questionQueue.js';

export interface SamplingConsentParts {
  readonly documents: TextDocuments;
  readonly model: SamplingModel;
  readonly logs: LoggerProvider;
  readonly choices: ChoiceQuestions;
  readonly queue: QuestionQueue;
  readonly aboutServer: (definition: McpServerDefinition) => AboutServer;
}

type Decision = 'once' | 'always' | 'deny';

/** Lets a server use the model once the user has seen what it sends, and hands out only answers that the user saw. */
export class SamplingConsent {
  /** Servers that may sample without asking until the window closes, as they were started then. */
  private readonly allowed = new Set</* see `keyOf` */ string>();

  constructor(private readonly parts: SamplingConsentParts) {}

  /** `undefined`: the user refused. */
  async ask(
    definition: McpServerDefinition,
    request: SamplingRequest,
    signal: AbortSignal,
  ): Promise<SamplingAnswer | undefined> {
    const { model, logs } = this.parts;
    const logger = logs.forServer(definition);
    const isAllowed = () => this.allowed.has(keyOf(definition));
    let modelName = await model.name();
    // another one may be chosen while the card is open
    for (let asked: string | undefined; !isAllowed() && asked !== modelName; ) {
      signal.throwIfAborted();
      asked = modelName;
      if (!(await this.mayAsk(definition, request, asked, signal))) {
        logger.log('info', 'The user refused a sampling request.');
        return undefined;
      }
      modelName = await model.name();
    }
    signal.throwIfAborted();
    const answer = await vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Window,
        title: vscode.l10n.t(
          '{0} answers an MCP server: {1}',
          quotedName(modelName),
          serverName(definition),
        ),
      },
      () => model.answer(request, signal),
    );
    signal.throwIfAborted();
    // who allowed all of a server's requests has allowed the answers too
    const isSent = isAllowed() || (await this.maySend(definition, answer, signal));
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
    const title = vscode.l10n.t('An MCP server asks to use a model');
    const decision = await this.decide(
      definition,
      {
        title,
        note: vscode.l10n.t(
          'Nothing is sent to the model before you allow it. Until the window closes: neither requests nor answers of this server are shown any more.',
        ),
        rows: [{ label: vscode.l10n.t('Model'), text: modelName }, ...requestRows(request)],
      },
      [
        { label: vscode.l10n.t('Allow Once'), isConsent: true, value: 'once' },
        {
          label: vscode.l10n.t('Allow This Server Until the Window Closes'),
          isConsent: true,
          value: 'always',
        },
        { label: vscode.l10n.t('Deny'), isConsent: false, value: 'deny' },
        this.whole(vscode.l10n.t('Show All'), title, () => requestText(request)),
      ],
      signal,
    );
    if (decision === 'always') {
      this.allowed.add(keyOf(definition));
    }
    return decision === 'once' || decision === 'always';
  }

  private async maySend(
    definition: McpServerDefinition,
    answer: SamplingAnswer,
    signal: AbortSignal,
  ): Promise<boolean> {
    const title = vscode.l10n.t('Send this answer to an MCP server?');
    const text = blocksText(answer.content);
    const decision = await this.decide(
      definition,
      {
        title,
        note: vscode.l10n.t('The server gets nothing else.'),
        rows: [
          { label: vscode.l10n.t('Model'), text: answer.model },
          { label: vscode.l10n.t('Answer'), text },
        ],
      },
      [
        { label: vscode.l10n.t('Send Answer'), isConsent: true, value: 'once' },
        { label: vscode.l10n.t('Discard'), isConsent: false, value: 'deny' },
        this.whole(vscode.l10n.t('Show All'), title, () => text),
      ],
      signal,
    );
    return decision === 'once';
  }

  private async decide(
    definition: McpServerDefinition,
    card: Pick<ChoiceQuestion, 'title' | 'note' | 'rows'>,
    choices: readonly Choice<Decision>[],
    signal: AbortSignal,
  ): Promise<Decision | undefined> {
    const about = this.parts.aboutServer(definition);
    const rows = [...about.rows, ...card.rows];
    const show = (shown: AbortSignal) =>
      this.parts.choices.ask({ ...about, ...card, rows }, choices, shown);
    const decision = await this.parts.queue.put({ definition, text: card.title, show }, signal);
    return signal.aborted ? undefined : decision;
  }

  private whole(label: string, title: string, text: () => string): Choice<Decision> {
    const act = () => this.parts.documents.show(title, text());
    return { label, isConsent: false, act };
  }
}

function keyOf(definition: McpServerDefinition): string {
  return JSON.stringify([definition.id, hashOf(definition)]);
}
