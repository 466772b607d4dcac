/** Sends a request again without the tools that a provider refused it for, or with shorter descriptions of them. */
import { cut } from '../../mcp/catalog/schema/told.js';
import { makeAnswer, type PiAnswerEvent } from '../context/answers.js';
import { descriptionLimit, refusalText, refusedTools, sentTools } from '../models/refusedTools.js';
import type { PiAnswer, PiStream } from '../pi/piModule.js';
import type { ToolBridge } from '../tools/toolBridge.js';
import type { TranscriptInput } from '../transcript/transcript.js';

type PiContext = Parameters<PiStream>[1];

export interface Refusals {
  readonly isSetAside: (tool: string) => boolean;
  /** @returns whether the next request is without the tool. */
  readonly setAside: (tool: string, reason: string) => boolean;
}

/** Sets tools of a bridge aside, and shows it in the conversation. */
export function refusalsOf(
  bridge: Pick<ToolBridge, 'isSetAside' | 'setAside'>,
  show: (input: TranscriptInput) => void,
): Refusals {
  return {
    isSetAside: (name) => bridge.isSetAside(name),
    setAside: (name, reason) => {
      const found = bridge.setAside(name, reason);
      if (found) {
        show({ type: 'tool_refused', server: found.server, tool: found.tool, reason });
      }
      return found !== undefined;
    },
  };
}

/** Times that one request is sent again; each time it has at least one tool less. */
const maxResends = 20;

export function resendWithout(stream: PiStream, refusals: Refusals): PiStream {
  /** Characters of a description; once a provider refused a longer one, every request keeps to it. */
  let longest = Number.POSITIVE_INFINITY;
  return async (model, context, options) => {
    for (let resends = 0; ; resends++) {
      let sent: readonly string[] = [];
      const answer = await stream(model, withTakenTools(context, refusals, longest), {
        ...options,
        onPayload: async (body, ...rest) => {
          const changed: unknown = await options?.onPayload?.(body, ...rest);
          sent = sentTools(changed ?? body);
          return changed;
        },
      });
      const begun = await beginningOf(answer);
      const { last } = begun;
      const error = last?.type === 'error' ? last.error.errorMessage : undefined;
      const refused = error === undefined ? [] : refusedTools(error, sent);
      const limit = error === undefined ? undefined : descriptionLimit(error);
      if (limit !== undefined && limit < longest && options?.signal?.aborted !== true) {
        longest = limit;
        continue;
      }
      const isOver = options?.signal?.aborted === true || resends >= maxResends;
      const reason = refusalText(error ?? '');
      if (isOver || refused.filter((tool) => refusals.setAside(tool, reason)).length === 0) {
        return begun.whole;
      }
    }
  };
}

/** What was declared in the conversation stays there; the request goes with what the provider takes of it. */
function withTakenTools(context: PiContext, { isSetAside }: Refusals, longest: number): PiContext {
  const isKept = ({ name }: { readonly name: string }) => !isSetAside(name);
  const messages = context.messages.map((message) =>
    message.role === 'system'
      ? {
          ...message,
          toolsAdded: message.toolsAdded
            ?.filter(isKept)
            .map((tool) => ({ ...tool, description: cut(tool.description, longest) })),
          toolsRemoved: message.toolsRemoved?.filter(isKept),
        }
      : message,
  );
  return { ...context, messages };
}

/** Reads on until it is known whether the provider took the request. */
async function beginningOf(answer: PiAnswer) {
  const events = answer[Symbol.asyncIterator]();
  const read: PiAnswerEvent[] = [];
  let next = await events.next();
  while (!next.done && next.value.type === 'start') {
    read.push(next.value);
    next = await events.next();
  }
  const last = next.done ? undefined : next.value;
  if (last) {
    read.push(last);
  }
  const whole = makeAnswer(
    async function* () {
      yield* read;
      yield* { [Symbol.asyncIterator]: () => events };
    },
    () => answer.result(),
  );
  return { last, whole };
}
