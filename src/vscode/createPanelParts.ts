/** What belongs to one panel of the agent: of the view, or of a tab. */
import * as vscode from 'vscode';
import type { ModelLogin } from '../agent/models/login.js';
import type { AgentPanel } from '../agent/panel/agentPanel.js';
import { readAttachedFile } from '../agent/panel/attachments/attachedFiles.js';
import type { AttachedFile } from '../agent/panel/attachments/attachment.js';
import { Attachments } from '../agent/panel/attachments/attachments.js';
import { EditedAttachments } from '../agent/panel/attachments/editedAttachments.js';
import type { CommandEditor } from '../agent/panel/commands/panelCommand.js';
import { PanelCommands } from '../agent/panel/commands/panelCommands.js';
import { PanelInputs } from '../agent/panel/inputs.js';
import { DisposableStore } from '../base/disposable.js';
import { errorMessage } from '../base/errors.js';
import { loadTokenCounter } from '../mcp/catalog/tokens/tokenEstimate.js';
import type { McpService } from '../mcp/mcpApi.js';
import type { Logger } from '../platform/ports.js';
import { StartOverview } from '../presentation/start/startOverview.js';
import type { Asked, Host } from './activation/host.js';
import { type BeforeDocuments, ChangeReview } from './changes/changeReview.js';
import type { FileEditors } from './changes/fileEditors.js';
import { logOutOfProvider } from './commands/modelCommands.js';
import { Attaching, type MentionSources } from './mentions/attaching.js';
import { reviewExtensions } from './prompts/extensionUi.js';
import { askForPromptArguments } from './prompts/resourcePicker.js';
import type { PanelMembers } from './webviews/agentPlace.js';
import type { HoldFocus } from './webviews/pageFocus.js';

export interface SharedPanelParts extends Host, Asked {
  readonly service: McpService;
  readonly logger: Logger;
  readonly before: BeforeDocuments;
  readonly editors: FileEditors;
  readonly sources: MentionSources;
  readonly holdFocus: HoldFocus;
}

/** The panel ends with them. */
export function createPanelParts(model: AgentPanel, parts: SharedPanelParts): PanelMembers {
  const { service, machine, questions, choices, forms, documents, before } = parts;
  const store = new DisposableStore();
  store.add(model);
  const commands = new PanelCommands({
    panel: model,
    service,
    editor: commandEditor(model.logins, parts),
  });
  const review = store.add(new ChangeReview(model, documents, before));
  const logError = (error: unknown) => parts.logger.log('error', errorMessage(error));
  const attachments = new Attachments({
    conversation: () => model.conversation ?? '',
    store: model.attachmentStore,
    lists: parts.sources.lists,
    loadCounter: loadTokenCounter,
    log: logError,
  });
  store.add(model.onDidReset(() => void attachments.load()));
  const edited = store.add(new EditedAttachments({ loadCounter: loadTokenCounter, log: logError }));
  const { workspace } = machine;
  const attached = {
    next: attachments,
    edited,
    readFile: (file: AttachedFile) =>
      readAttachedFile(file, { folders: () => workspace.folders, editors: parts.editors }),
  };
  const inputs = store.add(
    new PanelInputs({
      service,
      panel: model,
      attached,
      commands: () => commands.views,
      questions,
      choices,
      forms,
      askForArguments: async (...asked) => {
        const goBack = parts.holdFocus();
        const given = await askForPromptArguments(...asked);
        await goBack();
        return given;
      },
    }),
  );
  const attaching = new Attaching({
    service,
    panel: model,
    inputs,
    attached,
    holdFocus: parts.holdFocus,
    documents,
    sources: parts.sources,
  });
  const start = store.add(
    new StartOverview({
      library: model.library,
      service,
      folderUri: () => model.folder || undefined,
      language: vscode.env.language,
    }),
  );
  const dispose = () => store.dispose();
  return { model, inputs, commands, review, attachments, attaching, start, dispose };
}

function commandEditor(
  logins: ModelLogin,
  { documents, holdFocus }: Pick<SharedPanelParts, 'documents' | 'holdFocus'>,
): CommandEditor {
  return {
    run: async (command, argument) => {
      const goBack = holdFocus();
      await vscode.commands.executeCommand(command, argument);
      await goBack();
    },
    reviewExtensions: (files) => reviewExtensions(documents, files),
    logOut: () => logOutOfProvider(logins),
  };
}
