import type * as vscode from 'vscode';
import { InputStore, type ListableSecretStore } from '../../config/inputs/inputStore.js';
import { settingIds } from '../../contributions.js';
import type { FolderGateways } from '../../gateway/folderGateways.js';
import type { McpService } from '../../mcp/mcpApi.js';
import { ChoiceQuestions } from '../../mcp/service/choiceQuestions.js';
import { FormQuestions } from '../../mcp/service/formQuestions.js';
import { OpenQuestions } from '../../mcp/service/openQuestions.js';
import type { AgentOnUse } from '../agentOnUse.js';
import { TextDocuments } from '../documents/textDocuments.js';
import { AuthorizationPrompter } from '../prompts/authorizationPrompter.js';
import { InputPrompter } from '../prompts/inputPrompter.js';
import { QuestionsPanel } from '../questions/questionsPanel.js';
import { ServerQuestions } from '../questions/serverQuestions.js';
import { ConfigValue } from '../workspace/configValue.js';
import type { Host } from './host.js';

export interface QuestionParts extends Pick<Host, 'own' | 'logs'> {
  readonly service: McpService;
  readonly secrets: ListableSecretStore;
  readonly agent: AgentOnUse;
  readonly extensionUri: vscode.Uri;
  /** Taken when a server asks. */
  readonly gateways: () => FolderGateways;
}

/** Those who ask the user on behalf of servers. */
export function createQuestions({
  own,
  logs,
  service,
  secrets,
  agent,
  extensionUri,
  gateways,
}: QuestionParts) {
  const documents = own(new TextDocuments());
  const questions = own(new OpenQuestions());
  const choices = own(new ChoiceQuestions());
  const forms = own(new FormQuestions());
  const cardPage = own(new QuestionsPanel({ extensionUri, choices, forms }));
  const pages = () => agent;
  const signIns = new AuthorizationPrompter({ questions: choices, pages });
  const approvals = own(new ConfigValue(settingIds.gatewayApprovals));
  const asking = new ServerQuestions({
    documents,
    logs,
    open: questions,
    choices,
    forms,
    cardPage,
    pages,
    model: agent,
    approvals: () => approvals.value,
    callersOf: (server) =>
      gateways()
        .callsOf(server)
        .map(({ client }) => client.name),
  });
  const inputs = new InputStore(secrets);
  const inputPrompter = new InputPrompter({
    store: inputs,
    describe: ({ poolId, inputId }) => {
      const pool = service.getPool(poolId);
      return pool?.inputs.find(({ id }) => id === inputId);
    },
    invite: (about, signal) => asking.queue.invite(about, signal),
  });
  return {
    asking,
    inputs,
    inputPrompter,
    documents,
    questions,
    choices,
    forms,
    signIns,
  };
}
