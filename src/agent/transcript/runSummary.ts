/** What a run came to, said behind its last answer. */
import type { TranscriptEntry } from '../../protocol/agentProtocol.js';
import type { RunView } from '../../protocol/callWords.js';
import type { GateInput } from '../policy/gateInput.js';
import { isCallOfModel, type RunFacts, type Transcript, updateEntry } from './entries.js';

export const noFacts: RunFacts = { cost: 0, sent: 0, received: 0, waitedMs: 0 };

type Usage = Partial<Record<'input' | 'output' | 'cacheRead' | 'cacheWrite', number>> & {
  readonly cost?: { readonly total?: unknown };
};

/** @param usage of one message of the model */
export function addUsage(transcript: Transcript, usage: Usage | undefined): Transcript {
  const { input = 0, output = 0, cacheRead = 0, cacheWrite = 0, cost } = usage ?? {};
  const { run } = transcript;
  const dollars = typeof cost?.total === 'number' && cost.total > 0 ? cost.total : 0;
  return {
    ...transcript,
    run: {
      ...run,
      cost: run.cost + dollars,
      sent: run.sent + input + cacheRead + cacheWrite,
      received: run.received + output,
    },
  };
}

/** After a question or a decision: the user's time is that in which any call waits. */
export function noteGate(transcript: Transcript, { at }: GateInput): Transcript {
  const { run, entries, runStart } = transcript;
  const isAsked = entries
    .slice(runStart)
    .some((entry) => entry.kind === 'tool' && entry.status === 'awaiting_approval');
  if (at === undefined || isAsked === (run.askedAt !== undefined)) {
    return transcript;
  }
  const waited = run.askedAt === undefined ? 0 : Math.max(0, at - run.askedAt);
  const waitedMs = run.waitedMs + waited;
  return { ...transcript, run: { ...run, askedAt: isAsked ? at : undefined, waitedMs } };
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
  const calls = made.filter(isCallOfModel);
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
  { requestAt, answerAt, cost, sent, received, waitedMs }: RunFacts,
): RunView {
  // what failed before it ran has taken no time
  const ran = calls.filter(
    ({ status, spent }) => status === 'done' || (status === 'failed' && spent !== undefined),
  );
  const files = ran.flatMap(({ change, status }) =>
    change && status === 'done' ? change.path : [],
  );
  const all = requestAt === undefined || answerAt === undefined ? 0 : answerAt - requestAt;
  const ms = all - waitedMs;
  return {
    files: new Set(files).size,
    commands: ran.filter(({ words }) => words?.kind === 'command').length,
    calls: ran.filter(({ mcp }) => mcp !== undefined).length,
    ms: ms > 0 ? ms : undefined,
    waitedMs: waitedMs > 0 ? waitedMs : undefined,
    sent: sent || undefined,
    received: received || undefined,
    cost: cost > 0 ? cost : undefined,
  };
}
