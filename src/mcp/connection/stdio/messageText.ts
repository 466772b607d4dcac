import { isJsonObject, type JsonObject, parseJson } from '../../../base/json.js';

const messageStart = /\{\s*"(?:jsonrpc|id|method|params|result|error)"\s*:/g;
/** Bounds the work on a line that looks like many messages. */
const maxCandidates = 16;

const id = String.raw`"id"\s*:\s*(\d+|"(?:[^"\\]|\\.)*")`;
const version = String.raw`"jsonrpc"\s*:\s*"2\.0"`;
const idFirst = new RegExp(
  String.raw`^\s*\{\s*(?:${version}\s*,\s*)?${id}\s*,\s*(?:${version}\s*,\s*)?"(?:result|error)"\s*:`,
);
const answerFirst = new RegExp(String.raw`^\s*\{\s*(?:${version}\s*,\s*)?"(?:result|error)"\s*:`);
const idLast = new RegExp(String.raw`${id}\s*(?:,\s*${version}\s*)?\}\s*$`);

/** An object with nothing but an id is neither request nor response. @param value parsed JSON, which holds no `undefined` */
export function isJsonRpcMessage(value: unknown): value is JsonObject {
  return (
    isJsonObject(value) &&
    value.jsonrpc === '2.0' &&
    (value.result !== undefined || value.method !== undefined || value.error !== undefined)
  );
}

/** Messages inside a line that also holds other text, such as a log line without its newline. */
export function extractMessages(line: string): readonly JsonObject[] {
  const messages: JsonObject[] = [];
  let position = 0;
  for (let candidate = 0; candidate < maxCandidates; candidate++) {
    messageStart.lastIndex = position;
    const match = messageStart.exec(line);
    if (!match) {
      break;
    }
    const end = endOfObject(line, match.index);
    const message = end === undefined ? undefined : tryParse(line.slice(match.index, end));
    position = message && end !== undefined ? end : match.index + 1;
    if (message) {
      messages.push(message);
    }
  }
  return messages;
}

/** Id of the request that a response answers, read from both ends of its text; undefined for anything else. */
export function readResponseId(head: string, tail: string): string | number | undefined {
  const found =
    idFirst.exec(head)?.[1] ?? (answerFirst.test(head) ? idLast.exec(tail)?.[1] : undefined);
  // an id with a broken escape belongs to nobody
  return parseJson(found ?? '') as string | number | undefined;
}

function tryParse(text: string): JsonObject | undefined {
  const value = parseJson(text);
  return isJsonRpcMessage(value) ? value : undefined;
}

/** Offset after the brace that closes the one at `start`; undefined when none does. */
function endOfObject(text: string, start: number): number | undefined {
  let depth = 0;
  let isInString = false;
  for (let index = start; index < text.length; index++) {
    const character = text[index];
    if (isInString) {
      if (character === '\\') {
        index++;
      } else if (character === '"') {
        isInString = false;
      }
    } else if (character === '"') {
      isInString = true;
    } else if (character === '{') {
      depth++;
    } else if (character === '}' && --depth === 0) {
      return index + 1;
    }
  }
  return undefined;
}
