/** What a window attaches to messages, over the panel of a harness. */
import { readAttachedFile } from '../../../src/agent/panel/attachments/attachedFiles.js';
import type { AttachedFile } from '../../../src/agent/panel/attachments/attachment.js';
import { AttachedLists, Attachments } from '../../../src/agent/panel/attachments/attachments.js';
import { EditedAttachments } from '../../../src/agent/panel/attachments/editedAttachments.js';
import { PanelInputs } from '../../../src/agent/panel/inputs.js';
import { ChoiceQuestions } from '../../../src/mcp/service/questions/choiceQuestions.js';
import { FormQuestions } from '../../../src/mcp/service/questions/formQuestions.js';
import { OpenQuestions } from '../../../src/mcp/service/questions/openQuestions.js';
import type { SendKind } from '../../../src/protocol/sending.js';
import type { AgentHarness } from './agentHarness.js';

/** @param service default: that of the harness */
export async function attachingPanel(
  { panel, workspace, ...h }: AgentHarness,
  service = h.service.asService,
) {
  await panel.ensureSession();
  const attachments = new Attachments({
    conversation: () => panel.snapshot().conversation,
    store: panel.attachmentStore,
    lists: new AttachedLists(),
    loadCounter: async () => (text) => text.length,
    log: () => undefined,
  });
  await attachments.load();
  const edited = new EditedAttachments({
    loadCounter: async () => (text) => text.length,
    log: () => undefined,
  });
  const readFile = (file: AttachedFile) =>
    readAttachedFile(file, { folders: () => workspace.folders });
  const inputs = new PanelInputs({
    service,
    panel,
    attached: { next: attachments, edited, readFile },
    questions: new OpenQuestions(),
    forms: new FormQuestions(),
    choices: new ChoiceQuestions(),
    askForArguments: async () => undefined,
  });
  return {
    attachments,
    edited,
    inputs,
    readFile,
    /** As the view does. */
    send: async (text: string, kind?: SendKind) => {
      const sent = attachments.list;
      const message = await inputs.compose(text);
      if (message) {
        await panel.prompt(message, kind, panel.snapshot().conversation);
        attachments.clear(sent);
      }
    },
  };
}
