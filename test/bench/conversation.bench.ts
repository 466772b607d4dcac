/** Conversations: what it costs to open a long one and to go on with it. */
import type { PiEvent, PiSessionEntry } from '../../src/agent/piModule.js';
import { restoreTranscript } from '../../src/agent/restoreTranscript.js';
import { reduceTranscript, type Transcript } from '../../src/agent/transcript.js';
import { against, type BenchRow, mediansOf } from './measure.js';

const shortTurns = 1000;
const longTurns = 5000;
const liveTurns = 200;
const noName = () => undefined;

export async function runBench(): Promise<readonly (BenchRow & { readonly target?: number })[]> {
  return [...(await opening()), ...(await goingOn())];
}

async function opening(): Promise<readonly (BenchRow & { readonly target?: number })[]> {
  const short = storedConversation(shortTurns);
  const long = storedConversation(longTurns);
  const [shortMs = 0, longMs = 0] = await mediansOf([
    () => restoreTranscript(short, noName),
    () => restoreTranscript(long, noName),
  ]);
  const base = { name: `open a conversation of ${shortTurns} turns`, ms: shortMs };
  const row = against(base, `open a conversation of ${longTurns} turns`, longMs);
  // five times the turns; beyond linear there is only noise
  return [base, { ...row, target: (longTurns / shortTurns) * 1.5 }];
}

async function goingOn(): Promise<readonly (BenchRow & { readonly target?: number })[]> {
  const short = await restoreTranscript(storedConversation(liveTurns), noName);
  const long = await restoreTranscript(storedConversation(longTurns), noName);
  const [shortMs = 0, longMs = 0] = await mediansOf([() => live(short), () => live(long)]);
  const base = { name: `${liveTurns} live turns after ${liveTurns}`, ms: shortMs };
  const row = against(base, `${liveTurns} live turns after ${longTurns}`, longMs);
  return [base, { ...row, target: 2 }];
}

function live(start: Transcript): void {
  let transcript = start;
  for (let turn = 0; turn < liveTurns; turn++) {
    for (const event of liveEvents(turn)) {
      transcript = reduceTranscript(transcript, event, noName);
    }
  }
}

function liveEvents(turn: number): readonly PiEvent[] {
  const id = `live-${turn}`;
  const message = { role: 'assistant', content: [{ type: 'text', text: 'Working.' }] };
  return [
    { type: 'message_start', message: { role: 'user', content: `Question ${turn}` } },
    { type: 'message_start', message },
    { type: 'message_end', message: { ...message, stopReason: 'stop' } },
    { type: 'tool_execution_start', toolCallId: id, toolName: 'read', args: { path: 'a' } },
    { type: 'tool_execution_end', toolCallId: id, isError: false, result: { content: [] } },
    { type: 'agent_settled' },
  ] as unknown as readonly PiEvent[];
}

function storedConversation(turns: number): readonly PiSessionEntry[] {
  return Array.from({ length: turns }, (_, turn) => storedTurn(turn)).flat();
}

function storedTurn(turn: number): readonly PiSessionEntry[] {
  const id = `call-${turn}`;
  const call = { type: 'toolCall', id, name: 'demo__work', arguments: { turn } };
  const messages = [
    { role: 'user', content: `Question ${turn}` },
    { role: 'assistant', content: [call], stopReason: 'toolUse' },
    {
      role: 'toolResult',
      toolCallId: id,
      toolName: 'demo__work',
      isError: false,
      details: { isMcp: true, server: 'demo', tool: 'work' },
      content: [{ type: 'text', text: 'Done.' }],
    },
    { role: 'assistant', content: [{ type: 'text', text: 'Ready.' }], stopReason: 'stop' },
  ];
  return messages.map((message) => ({ type: 'message', message }) as unknown as PiSessionEntry);
}
