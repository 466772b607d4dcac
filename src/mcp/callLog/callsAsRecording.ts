/** Calls of the log in the form of a recording, so that who shows one shows the other. */
import type { FrameFacts, FrameRecord, McpRecording } from '../trafficTypes.js';
import type { CallRecord } from './callRecord.js';

/** What the log says of the answer stands in its place: results are not kept. */
export function callsAsRecording(calls: readonly CallRecord[]): McpRecording {
  const nothing = () => ({ dispose: () => undefined });
  return {
    records: calls.flatMap((call, index) => framesOf(call, index + 1)),
    handshakes: [],
    onDidChange: nothing,
    watch: nothing,
    readWhole: async () => undefined,
    clear: () => undefined,
  };
}

function framesOf(call: CallRecord, id: number): readonly FrameRecord[] {
  const { tool, arguments: args, ...said } = call;
  const { by, outcome, ms } = call;
  const t = Date.parse(call.time);
  const error = outcome === 'ok' ? {} : { error: { code: undefined, message: outcome } };
  return [
    // who calls stands where a recording has the method
    frame(
      { seq: 2 * id - 1, t, dir: 'sent' },
      { id, method: by, target: tool },
      { tool, arguments: args },
    ),
    frame({ seq: 2 * id, t: t + ms, dir: 'local' }, { id, ...error }, said),
  ];
}

function frame(
  head: Pick<FrameRecord, 'seq' | 't' | 'dir'>,
  facts: FrameFacts,
  shown: object,
): FrameRecord {
  const text = JSON.stringify(shown);
  return { ...head, gen: 1, kind: 'frame', text, size: text.length, isCut: false, facts };
}
