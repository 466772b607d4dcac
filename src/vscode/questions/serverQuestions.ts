import * as vscode from 'vscode';
import type { McpServerDefinition, McpServerId } from '../../config/definition.js';
import type { LoggerProvider } from '../../config/ports.js';
import type {
  ClientFeatures,
  ElicitationAnswer,
  ElicitationRequest,
} from '../../mcp/connection/session/clientFeatures.js';
import type { FormQuestions } from '../../mcp/service/formQuestions.js';
import type { OpenQuestions } from '../../mcp/service/openQuestions.js';
import type { SamplingModel } from '../../presentation/questions/samplingModel.js';
import type { TextDocuments } from '../documents/textDocuments.js';
import { serverName } from '../workspace/serverName.js';
import { askToOpen } from './elicitationUrl.js';
import { LentCallConsent } from './lentCallConsent.js';
import { type Question, type QuestionPages, QuestionQueue } from './questionQueue.js';
import type { QuestionScreen } from './questionScreen.js';
import { SamplingConsent } from './samplingConsent.js';

export interface ServerQuestionsParts {
  readonly documents: TextDocuments;
  readonly model: SamplingModel;
  readonly logs: LoggerProvider;
  readonly screen: QuestionScreen;
  readonly open: OpenQuestions;
  readonly forms: FormQuestions;
  readonly pages: () => QuestionPages;
  /** How the user has calls of other programs approved, by the names of the programs. */
  readonly approvals: () => Readonly<Record<string, unknown>>;
  /** Programs for which a gateway has called tools of the server that have not answered yet. */
  readonly callersOf: (server: McpServerId) => readonly string[];
}

const noticeMs = 10_000;

/** What servers ask of the user. */
export class ServerQuestions {
  private readonly queue: QuestionQueue;
  private readonly sampling: SamplingConsent;
  /** Asks about calls of other programs. */
  readonly lentCalls: LentCallConsent;

  constructor(private readonly parts: ServerQuestionsParts) {
    this.queue = new QuestionQueue(parts);
    this.sampling = new SamplingConsent({
      ...parts,
      queue: this.queue,
      nameOf: (definition) => this.nameOf(definition),
    });
    this.lentCalls = new LentCallConsent({ ...parts, queue: this.queue });
  }

  async featuresOf(definition: McpServerDefinition): Promise<ClientFeatures> {
    const maySample = await this.parts.model.isSetUp();
    return {
      showsApps: true,
      elicit: (request, signal) => this.elicit(definition, request, signal),
      completeElicitation: () => {
        void vscode.window.setStatusBarMessage(
          vscode.l10n.t(
            'MCP server "{0}": the page that you opened is done.',
            serverName(definition),
          ),
          noticeMs,
        );
      },
      ...(maySample
        ? { sample: (request, signal) => this.sampling.ask(definition, request, signal) }
        : {}),
    };
  }

  /** Says as well for whom the server works now, where that is another program. */
  private nameOf(definition: McpServerDefinition): string {
    const name = serverName(definition);
    const callers = [...new Set(this.parts.callersOf(definition.id))];
    return callers.length === 0
      ? name
      : vscode.l10n.t('{0}, called by {1}', name, callers.join(', '));
  }

  private async elicit(
    definition: McpServerDefinition,
    request: ElicitationRequest,
    signal: AbortSignal,
  ): Promise<ElicitationAnswer> {
    const name = this.nameOf(definition);
    const { parts } = this;
    const about = { definition, text: request.message };
    const answer = await this.queue.put(
      request.kind === 'form'
        ? { ...about, ...(await this.formLooks(definition, name, request)) }
        : { ...about, show: (shown) => askToOpen(name, request, parts, shown) },
      signal,
    );
    return answer ?? { action: 'cancel' };
  }

  /** On the screen, which keeps what was filled in, and on a page. */
  private async formLooks(
    definition: McpServerDefinition,
    serverName: string,
    request: Extract<ElicitationRequest, { readonly kind: 'form' }>,
  ): Promise<Pick<Question<ElicitationAnswer>, 'show' | 'showOnPage'>> {
    const { ElicitationForm } = await import('./elicitationForm.js');
    const { forms } = this.parts;
    const form = new ElicitationForm(serverName, request, this.parts);
    const { message, fields } = request;
    const asked = forms.create({ server: definition.id, serverName, message, fields });
    return {
      show: (signal) => form.show(signal),
      showOnPage: (signal) => forms.ask(asked, signal),
    };
  }
}
