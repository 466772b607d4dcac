import type { AgentSession } from '../session/agentSession.js';
import { resultGone } from '../tools/resultStore.js';

/** A file before and after a call. */
export interface FileTexts {
  readonly path: string;
  /** `undefined`: there was none. */
  readonly before: string | undefined;
  readonly after: string;
}

/** What of a conversation tells about changes of files. */
export type ReviewedSession = Pick<AgentSession, 'builtInCalls' | 'approvals'>;

/** A call that wrote a file, or one that would and waits for approval. */
export interface CallRef {
  readonly callId?: string | undefined;
  readonly approvalId?: string | undefined;
}

/** @throws {HumanError} when they are not kept any more. */
export async function fileTextsOf(
  session: ReviewedSession | undefined,
  { callId = '', approvalId = '' }: CallRef,
): Promise<FileTexts> {
  const preview = session?.approvals.previewOf(approvalId);
  const found = preview?.texts
    ? { path: preview.view.path, ...preview.texts }
    : await session?.builtInCalls.changes.textsOf(callId);
  if (!found) {
    throw resultGone();
  }
  return found;
}
