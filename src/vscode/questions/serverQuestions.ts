import * as vscode from 'vscode';
import { Limiter } from '../../base/sequencer.js';
import type { ClientFeatures, ElicitationAnswer } from '../../mcp/connection/clientFeatures.js';
import { folderRoots } from '../../mcp/folderRoots.js';
import type { McpServerDefinition } from '../../mcp/mcpTypes.js';
import type { LoggerProvider, Workspace } from '../../mcp/ports.js';
import type { TextDocuments } from '../documents/textDocuments.js';
import { askForm } from './elicitationForm.js';
import { askToOpen } from './elicitationUrl.js';
import { SamplingConsent } from './samplingConsent.js';
import type { SamplingModel } from './samplingModel.js';

export interface ServerQuestionsParts {
  readonly workspace: Workspace;
  readonly documents: TextDocuments;
  readonly model: SamplingModel;
  readonly logs: LoggerProvider;
}

const noticeMs = 10_000;

/** What servers ask of the user, whoever called them: one question on the screen at a time. */
export class ServerQuestions {
  private readonly oneAtATime = new Limiter(1);
  private readonly sampling: SamplingConsent;

  constructor(private readonly parts: ServerQuestionsParts) {
    this.sampling = new SamplingConsent(parts);
  }

  featuresOf(definition: McpServerDefinition): ClientFeatures {
    const { name } = definition;
    return {
      roots: folderRoots(definition, this.parts.workspace),
      elicit: (request, signal) =>
        this.oneAtATime.run(async (): Promise<ElicitationAnswer> => {
          return request.kind === 'form'
            ? await askForm(name, request, this.parts.documents, signal)
            : await askToOpen(name, request, signal);
        }, signal),
      completeElicitation: () => {
        void vscode.window.setStatusBarMessage(
          vscode.l10n.t('MCP server "{0}": the page that you opened is done.', name),
          noticeMs,
        );
      },
      ...(this.parts.model.isSetUp()
        ? {
            sample: (request, signal) =>
              this.oneAtATime.run(() => this.sampling.ask(definition, request, signal), signal),
          }
        : {}),
    };
  }
}
