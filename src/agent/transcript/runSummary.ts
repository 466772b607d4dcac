/** What a run came to, said behind its last answer. */
import type { TranscriptEntry } from '../../protocol/agentProtocol.js';
import type { RunView } from '../../protocol/callWords.js';
import { type RunFacts, type Transcript, updateEntry } from './entries.js';

export const noFacts: RunFacts = { cost: 0 };

/** @param cost of one message of the model */
export function addCost(transcript: Transcript, cost: unknown): Transcript {
  return typeof cost === 'number' && cost > 0
    ? { ...transcript, run: { ...transcript.run, cost: transcript.run.cost + cost } }
    : transcript;
}

/** @param at when the message was stored */
export function noteTime(
  transcript: Transcript,
  role: 'user' | 'assistant',
  at: number | undefined,
): Transcript {
  const { run } = transcript;
  if (at === undefined) {
    return transcript;
  }
  return role === 'assistant'
    ? { ...transcript, run: { ...run, answerAt: at } }
    : { ...transcript, run: { ...run, requestAt: run.requestAt ?? at } };
}

/** Says it once the run has ended; nothing of a run that only read and answered. */
export function summarizeRun(transcript: Transcript): Transcript {
  const { entries, runStart, run } = transcript;
  const made = entries.slice(runStart);
  const calls = made.filter((entry) => entry.kind === 'tool');
  const answer = made.findLast((entry) => entry.kind === 'assistant');
  const next = { ...transcript, run: noFacts };
  const view = runView(calls, run);
  if (!answer || view.files + view.commands + view.calls === 0) {
    return next;
  }
  return updateEntry(next, answer.id, (entry) =>
    entry.kind === 'assistant' ? { ...entry, run: view } : entry,
  );
}

function runView(
  calls: readonly Extract<TranscriptEntry, { kind: 'tool' }>[],
  { requestAt, answerAt, cost }: RunFacts,
): RunView {
  const ran = calls.filter(({ status }) => status === 'done' || status === 'failed');
  const files = ran.flatMap(({ change, status }) =>
    change && status === 'done' ? change.path : [],
  );
  const ms = requestAt === undefined || answerAt === undefined ? 0 : answerAt - requestAt;
  return {
    files: new Set(files).size,
    commands: ran.filter(({ words }) => words?.kind === 'command').length,
    calls: ran.filter(({ mcp }) => mcp !== undefined).length,
    ...(ms > 0 && { ms }),
    ...(cost > 0 && { cost }),
  };
}
