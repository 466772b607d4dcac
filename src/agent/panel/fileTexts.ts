import type { FileTexts } from '../builtIn/fileCalls.js';
import type { AgentSession } from '../session/agentSession.js';
import { resultGone } from '../tools/resultStore.js';

/** A call that wrote a file, or one that would and waits for approval. */
export interface CallRef {
  readonly callId?: string | undefined;
  readonly approvalId?: string | undefined;
}

/** @throws {HumanError} when they are not kept any more. */
export function fileTextsOf(
  session: AgentSession | undefined,
  { callId, approvalId }: CallRef,
): FileTexts {
  const written =
    callId === undefined ? undefined : session?.builtInCalls.files.written.get(callId);
  const preview = approvalId === undefined ? undefined : session?.approvals.previewOf(approvalId);
  const texts = preview?.texts && { path: preview.view.path, ...preview.texts };
  const found = written ?? texts;
  if (!found) {
    throw resultGone();
  }
  return found;
}
