/** Values of boxes, from what was typed into them. */
import { isExactNumber, parseExactJson } from './exactJson.js';

export type DraftProblemKind =
  | 'required'
  | 'notNumber'
  | 'notInteger'
  /** JavaScript would round it; `detail` is the number. */
  | 'inexact'
  | 'notChoice'
  /** `detail` says why. */
  | 'notJson'
  | 'noName'
  | 'sameName'
  /** An item behind it is set. */
  | 'gap';

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

type Report = (kind: DraftProblemKind, detail?: string) => undefined;

export function readNumber(text: string, isInteger: boolean, report: Report) {
  const value = Number(text);
  if (!jsonNumber.test(text) || !Number.isFinite(value)) {
    return report('notNumber');
  }
  if (isInteger && !Number.isInteger(value)) {
    return report('notInteger');
  }
  return isExactNumber(text) ? { value } : report('inexact', text);
}

export function readJson(text: string, report: Report) {
  const json = parseExactJson(text);
  switch (json.kind) {
    case 'value':
      return { value: json.value };
    case 'inexact':
      return report('inexact', json.number);
    case 'invalid':
      return report('notJson', json.reason);
  }
}
