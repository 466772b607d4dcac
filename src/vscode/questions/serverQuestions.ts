import * as vscode from 'vscode';
import type { UserQuestions } from '../../agent/panel/questionCards.js';
import { nameToken } from '../../base/text/nameToken.js';
import type { McpServerDefinition, McpServerId } from '../../config/definition.js';
import type { LoggerProvider } from '../../config/ports.js';
import type {
  ClientFeatures,
  ElicitationAnswer,
  ElicitationRequest,
} from '../../mcp/connection/session/clientFeatures.js';
import type { SkillReview } from '../../mcp/server/loadSkill.js';
import type { AboutServer } from '../../mcp/service/questions/choiceQuestions.js';
import type { SamplingModel } from '../../presentation/questions/samplingModel.js';
import type { TextDocuments } from '../documents/textDocuments.js';
import { serverName } from '../workspace/serverName.js';
import { askToOpen } from './elicitationUrl.js';
import { LentCallConsent } from './lentCallConsent.js';
import type { QuestionQueue } from './questionQueue.js';
import { SamplingConsent } from './samplingConsent.js';
import { askAboutSkill } from './skillConsent.js';

export interface ServerQuestionsParts extends Pick<UserQuestions, 'choices' | 'forms'> {
  readonly queue: QuestionQueue;
  readonly documents: TextDocuments;
  readonly model: SamplingModel;
  readonly logs: LoggerProvider;
  /** How the user has calls of other programs approved, by the names of the programs. */
  readonly approvals: () => Readonly<Record<string, unknown>>;
  /** Programs for which a gateway has called tools of the server that have not answered yet. */
  readonly callersOf: (server: McpServerId) => readonly string[];
}

const noticeMs = 10_000;

/** What servers ask of the user. */
export class ServerQuestions {
  private readonly sampling: SamplingConsent;
  /** Asks about calls of other programs. */
  readonly lentCalls: LentCallConsent;

  constructor(private readonly parts: ServerQuestionsParts) {
    this.sampling = new SamplingConsent({
      ...parts,
      aboutServer: (definition) => this.aboutServer(definition),
    });
    this.lentCalls = new LentCallConsent(parts);
  }

  async featuresOf(definition: McpServerDefinition): Promise<ClientFeatures> {
    const maySample = await this.parts.model.isSetUp();
    return {
      showsApps: true,
      loadsSkills: true,
      elicit: (request, signal) => this.elicit(definition, request, signal),
      completeElicitation: () => {
        void vscode.window.setStatusBarMessage(
          vscode.l10n.t('The page that you opened is done: {0}', serverName(definition)),
          noticeMs,
        );
      },
      sample: maySample
        ? (request, signal) => this.sampling.ask(definition, request, signal)
        : undefined,
    };
  }

  reviewSkill(review: SkillReview, signal: AbortSignal): Promise<boolean> {
    const aboutServer = (definition: McpServerDefinition) => this.aboutServer(definition);
    return askAboutSkill({ ...this.parts, aboutServer }, review, signal);
  }

  /** For an app of the server. @returns whether the page was opened */
  async openPage(
    definition: McpServerDefinition,
    url: string,
    signal: AbortSignal,
  ): Promise<boolean> {
    const title = vscode.l10n.t('An app of an MCP server asks you to open a page');
    const { choices } = this.parts;
    const about = this.aboutServer(definition);
    const show = (shown: AbortSignal) => askToOpen(choices, about, { title, url }, shown);
    const answer = await this.parts.queue.put({ definition, text: title, show }, signal);
    return answer?.action === 'accept';
  }

  private aboutServer(definition: McpServerDefinition): AboutServer {
    const name = serverName(definition);
    const callers = this.callersOf(definition);
    return {
      server: definition.id,
      serverName: name,
      rows: [
        { label: vscode.l10n.t('MCP server'), text: name },
        ...(callers === undefined ? [] : [{ label: vscode.l10n.t('Called by'), text: callers }]),
      ],
    };
  }

  /** Other programs for which the server works now, where there are any. */
  private callersOf(definition: McpServerDefinition): string | undefined {
    const callers = [...new Set(this.parts.callersOf(definition.id))];
    return callers.length === 0 ? undefined : callers.map(nameToken).join(', ');
  }

  private async elicit(
    definition: McpServerDefinition,
    request: ElicitationRequest,
    signal: AbortSignal,
  ): Promise<ElicitationAnswer> {
    const { choices } = this.parts;
    const about = { definition, text: request.message };
    const show =
      request.kind === 'form'
        ? this.formCard(definition, request)
        : (shown: AbortSignal) => {
            const title = vscode.l10n.t('An MCP server asks you to open a page');
            return askToOpen(choices, this.aboutServer(definition), { ...request, title }, shown);
          };
    return (await this.parts.queue.put({ ...about, show }, signal)) ?? { action: 'cancel' };
  }

  /** Keeps what was filled in until it is shown again. */
  private formCard(
    definition: McpServerDefinition,
    { message, fields }: Extract<ElicitationRequest, { readonly kind: 'form' }>,
  ): (shown: AbortSignal) => Promise<ElicitationAnswer | undefined> {
    const { forms } = this.parts;
    const callers = this.callersOf(definition);
    const name = serverName(definition);
    const asking =
      callers === undefined ? name : vscode.l10n.t('{0}, called by {1}', name, callers);
    const asked = forms.create({ server: definition.id, serverName: asking, message, fields });
    return (shown) => forms.ask(asked, shown);
  }
}
