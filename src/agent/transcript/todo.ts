/** The list of steps that the model keeps. */
import { asObject, isJsonObject } from '../../base/json.js';
import { showHidden } from '../../base/text/showHidden.js';
import type { TodoStep, TodoView } from '../../protocol/callWords.js';
import { detailsIn } from './content.js';
import type { Transcript } from './entries.js';

const maxSteps = 40;
/** Characters. */
const maxText = 200;
const states: readonly TodoStep['state'][] = ['open', 'doing', 'done'];

/** `undefined` for what is no list, or too long. Nothing in the texts hides or turns others. */
export function readTodo(value: unknown): TodoView | undefined {
  const steps = isJsonObject(value) ? value.steps : undefined;
  if (!Array.isArray(steps) || steps.length > maxSteps) {
    return undefined;
  }
  const read = steps.map(readStep);
  return read.includes(undefined) ? undefined : { steps: read.flatMap((step) => step ?? []) };
}

function readStep(value: unknown): TodoStep | undefined {
  const { text, state } = asObject(value);
  const known = states.find((one) => one === state);
  if (typeof text !== 'string' || text.trim() === '' || !known) {
    return undefined;
  }
  return { text: showHidden(text.slice(0, maxText)).replaceAll('\n', ' '), state: known };
}

/** @param result of a call of the tool that went well; what it kept may come from a file */
export function keepTodo(transcript: Transcript, result: unknown): Transcript {
  const todo = readTodo(detailsIn(result).todo);
  return todo ? { ...transcript, todo } : transcript;
}
