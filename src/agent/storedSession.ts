/** A conversation as Pi's session file: opening it, and what it says about its model. */
import { existsSync } from 'node:fs';
import type { ModelRef } from './models.js';
import type { PiModule, PiSessionEntry } from './piModule.js';
import type { Transcript } from './transcript.js';

/** Where a conversation goes on. */
export interface ResumePoint {
  /** Absolute path; may not exist, as Pi writes it with the first answer. */
  readonly sessionFile: string | undefined;
  /** Default: what the file tells. */
  readonly transcript?: Transcript;
}

export interface SessionFileOptions {
  readonly pi: PiModule;
  readonly cwd: string;
  readonly sessionDir: string;
  readonly resume?: ResumePoint;
}

/** Throws for a file that is no conversation. */
export function openSessionFile({ pi, cwd, sessionDir, resume }: SessionFileOptions) {
  return resume?.sessionFile && existsSync(resume.sessionFile)
    ? pi.SessionManager.open(resume.sessionFile, sessionDir, cwd)
    : pi.SessionManager.create(cwd, sessionDir);
}

/** The model that the conversation used last. */
export function lastModel(entries: readonly PiSessionEntry[]): ModelRef | undefined {
  const change = entries.findLast((entry) => entry.type === 'model_change');
  return change?.type === 'model_change'
    ? { provider: change.provider, id: change.modelId }
    : undefined;
}
