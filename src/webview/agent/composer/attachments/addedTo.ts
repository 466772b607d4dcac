import type { AgentInputs } from '../../../../protocol/agentProtocol.js';
import type { AttachmentView } from '../../../../protocol/attachments.js';

/** What is put into a message that the user changes. @param key of it, as the extension knows it */
export function addedTo(
  key: string,
  { inputs }: { readonly inputs: AgentInputs },
): readonly AttachmentView[] {
  return inputs.edited.find((one) => one.key === key)?.attachments ?? [];
}
