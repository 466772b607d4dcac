/** Answers requests of Pi with models of the editor. */
import { isCancellationError, raceWithSignal } from '../../../base/async/cancellation.js';
import { errorMessage } from '../../../base/errors.js';
import { guessTokens } from '../../../mcp/catalog/tokens/tokenEstimate.js';
import { emptyAnswer } from '../../context/answers.js';
import type { PiModule } from '../../pi/piModule.js';
import { editorFailure } from '../../transcript/modelFailure.js';
import { type EditorStream, editorRequest, type TranscriptReader } from './messages.js';
import {
  type EditorAnswerPart,
  type EditorModel,
  EditorModelError,
  type EditorRequest,
} from './port.js';

type Events = ReturnType<EditorStream>;
type Answer = Awaited<ReturnType<Events['result']>>;
type StreamedModel = Parameters<EditorStream>[0];
type Context = Parameters<EditorStream>[1];
type Options = Parameters<EditorStream>[2];

export interface EditorStreamParts {
  readonly pi: TranscriptReader & Pick<PiModule, 'createAssistantMessageEventStream'>;
  /** By the id that Pi knows it by. */
  readonly find: (id: string) => EditorModel | undefined;
  readonly agree: (model: EditorModel) => Promise<boolean>;
}

/** As long as the editor does not count what a request was. */
const tokensOfImage = 1_200;

export function createEditorStream(parts: EditorStreamParts): EditorStream {
  return (model, context, options) => {
    const events = parts.pi.createAssistantMessageEventStream();
    const writer = new AnswerWriter(events, model);
    answer(parts, writer, { model, context, options }).then(
      () => writer.finish(),
      (error: unknown) => writer.fail(error, options?.signal?.aborted === true),
    );
    return events;
  };
}

async function answer(
  { pi, find, agree }: EditorStreamParts,
  writer: AnswerWriter,
  {
    model,
    context,
    options,
  }: { readonly model: StreamedModel; readonly context: Context; readonly options: Options },
): Promise<void> {
  const signal = options?.signal;
  signal?.throwIfAborted();
  const found = find(model.id);
  if (!found) {
    throw new EditorModelError('NotFound', model.name);
  }
  if (!(await raceWithSignal(agree(found), signal))) {
    throw new EditorModelError('NotAgreed', found.vendorName);
  }
  const hasTools = found.callsTools !== false && options?.toolChoice !== 'none';
  const made = editorRequest(pi, model, context, hasTools);
  const changed = await options?.onPayload?.(made, model);
  const request = isRequest(changed) ? changed : made;
  signal?.throwIfAborted();
  writer.begin(tokensOf(request));
  let isAnswered = false;
  const answered = found.send(request, signal)[Symbol.asyncIterator]();
  try {
    // a vendor may be deaf to the end of a request
    const next = () => raceWithSignal(answered.next(), signal);
    for (let part = await next(); part.done !== true; part = await next()) {
      if (!isAnswered) {
        isAnswered = true;
        await options?.onResponse?.({ status: 200, headers: {} }, model);
      }
      writer.add(part.value);
    }
  } finally {
    // not waited for: it may hang as well
    void answered.return?.().catch(() => undefined);
  }
}

function isRequest(value: unknown): value is EditorRequest {
  return typeof value === 'object' && value !== null && 'messages' in value && 'tools' in value;
}

/** Writes the answer as Pi reads it: one beginning, blocks that end, and one end. */
class AnswerWriter {
  private readonly answer: Answer;
  private isBegun = false;
  private isText = false;

  constructor(
    private readonly events: Events,
    model: StreamedModel,
  ) {
    this.answer = emptyAnswer(model);
  }

  begin(inputTokens: number): void {
    this.answer.usage.input = inputTokens;
    this.isBegun = true;
    this.events.push({ type: 'start', partial: this.answer });
  }

  add(part: EditorAnswerPart): void {
    if (part.kind === 'text') {
      this.addText(part.text);
    } else {
      this.addCall(part);
    }
  }

  finish(): void {
    this.endText();
    this.count();
    const reason = this.answer.content.some(({ type }) => type === 'toolCall') ? 'toolUse' : 'stop';
    this.answer.stopReason = reason;
    this.events.push({ type: 'done', reason, message: this.answer });
  }

  fail(error: unknown, isAborted: boolean): void {
    if (this.isBegun) {
      this.endText();
      this.count();
    }
    const reason = isAborted || isCancellationError(error) ? 'aborted' : 'error';
    this.answer.stopReason = reason;
    this.answer.errorMessage =
      error instanceof EditorModelError
        ? editorFailure(error.code, error.message)
        : errorMessage(error);
    this.events.push({ type: 'error', reason, error: this.answer });
  }

  private addText(text: string): void {
    if (text === '') {
      return;
    }
    const { content } = this.answer;
    if (!this.isText) {
      this.isText = true;
      content.push({ type: 'text', text: '' });
      this.events.push({
        type: 'text_start',
        contentIndex: content.length - 1,
        partial: this.answer,
      });
    }
    const block = content.at(-1);
    if (block?.type === 'text') {
      block.text += text;
      this.events.push({
        type: 'text_delta',
        contentIndex: content.length - 1,
        delta: text,
        partial: this.answer,
      });
    }
  }

  private endText(): void {
    const { content } = this.answer;
    const block = content.at(-1);
    if (this.isText && block?.type === 'text') {
      this.events.push({
        type: 'text_end',
        contentIndex: content.length - 1,
        content: block.text,
        partial: this.answer,
      });
    }
    this.isText = false;
  }

  private addCall({ id, name, input }: Extract<EditorAnswerPart, { kind: 'call' }>): void {
    this.endText();
    const { content } = this.answer;
    type Call = Extract<Answer['content'][number], { type: 'toolCall' }>;
    // JSON came in, and JSON it is
    const toolCall: Call = { type: 'toolCall', id, name, arguments: input as Call['arguments'] };
    content.push(toolCall);
    const place = { contentIndex: content.length - 1, partial: this.answer };
    this.events.push({ type: 'toolcall_start', ...place });
    this.events.push({ type: 'toolcall_delta', delta: JSON.stringify(input), ...place });
    this.events.push({ type: 'toolcall_end', toolCall, ...place });
  }

  private count(): void {
    const { usage, content } = this.answer;
    usage.output = guessTokens(JSON.stringify(content));
    usage.totalTokens = usage.input + usage.output;
  }
}

function tokensOf({ messages, tools }: EditorRequest): number {
  let images = 0;
  const text = JSON.stringify([messages, tools], (_key, value: unknown) => {
    if (typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'image') {
      images++;
      return '';
    }
    return value;
  });
  return guessTokens(text) + images * tokensOfImage;
}
