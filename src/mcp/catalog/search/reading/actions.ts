/** What a tool does and what a request wants done, as far as a verb tells. */
import { stemOf } from './vocabulary.js';

/** Bits of {@link actions}; 0 when no verb tells. */
export type ActionMask = number;

const read = 1;
/** Reads several things, not one. */
const many = 2;
const create = 4;
const change = 8;
const remove = 16;
const send = 32;
const start = 64;
const stop = 128;

/** A verb may do several things: whoever cancels ends something or takes it away. */
const verbs: readonly (readonly [ActionMask, string])[] = [
  [
    read,
    'get read show fetch retrieve describe view check see inspect explain lookup tell display print compare analyze measure count summarize know whoami',
  ],
  [read | many, 'list find search query browse enumerate scan explore discover look filter'],
  [
    create,
    'create add new another make insert generate draft compose build upload register install write clone copy duplicate fork record book schedule plan invite append attach save store remember draw buy',
  ],
  [
    change,
    'update edit modify change set rename move patch put replace transition assign format resize adjust configure convert mark label tag resolve complete apply merge turn switch write save manage append adapt',
  ],
  [
    remove,
    'delete remove clear purge drop archive erase trash forget discard cancel revoke unsubscribe uninstall reset empty cleanup terminate kick ban undo destroy',
  ],
  [
    send,
    'send publish reply forward post respond share submit message notify tell answer upload put write',
  ],
  [
    start,
    'run execute start trigger launch invoke call play open deploy rerun retry restart navigate click press build test eval evaluate do boot resume',
  ],
  [stop, 'stop pause kill cancel terminate close end quit mute shut turn suspend abort silence'],
];

const masks = readMasks();

function readMasks(): ReadonlyMap</* stem */ string, ActionMask> {
  const found = new Map<string, ActionMask>();
  for (const [mask, words] of verbs) {
    for (const stem of words.split(' ').map(stemOf)) {
      found.set(stem, (found.get(stem) ?? 0) | mask);
    }
  }
  return found;
}

export function actionOf(stem: string): ActionMask {
  return masks.get(stem) ?? 0;
}

const questionWords = new Set(
  'what which who whom whose when where why how is are am was were do does did has have any'.split(
    ' ',
  ),
);

export function isQuestion(words: readonly string[]): boolean {
  return questionWords.has(words[0] ?? '');
}

/** Ways to ask for something before it is said; what follows is what is wanted. */
const courtesies =
  /^(?:please |kindly |now |then |just |help me |let me |(?:i|we) (?:want|need|would like|d like|have) to |(?:can|could|would|will) you |how (?:do|can|could|should) (?:i|we|you|one) |how to |try to )+/;

export function withoutCourtesies(words: readonly string[]): readonly string[] {
  const text = words.join(' ');
  const rest = text.replace(courtesies, '');
  return rest.trim() === '' || rest === text ? words : rest.split(' ');
}

/** @param words of a request without courtesies, in order, as they were written but in lower case */
export function wantedAction(words: readonly string[]): ActionMask {
  const verb = isQuestion(words) ? read : firstAction(words);
  const wanted = verb === 0 && words.includes('all') ? read : verb;
  return (wanted & ~(read | many)) === 0 && wanted !== 0 && words.some(isMany)
    ? wanted | many
    : wanted;
}

/** Words that are verbs at the beginning of a request. */
const leadingVerbs: ReadonlyMap<string, ActionMask> = new Map([
  ['report', create],
  ['file', create],
  ['raise', create],
  ['bill', create],
  ['log', create],
  ['text', send],
  ['email', send],
  ['mail', send],
]);

function firstAction(words: readonly string[]): ActionMask {
  const leading = leadingVerbs.get(words[0] ?? '');
  if (leading !== undefined) {
    return leading;
  }
  for (const word of words) {
    const mask = actionOf(stemOf(word));
    if (mask !== 0) {
      return mask;
    }
  }
  return 0;
}

/** Which of several, or a plural. */
function isMany(word: string): boolean {
  return word === 'which' || word === 'all' || (word.length > 3 && /[^su]s$/.test(word));
}

/** What is left of a score, by what the request wants and the tool does. */
export function actionFactor(wanted: ActionMask, done: ActionMask): number {
  if (wanted === 0 || done === 0) {
    return 1;
  }
  const both = wanted & done;
  if (both === 0) {
    return (wanted & read) === (done & read) ? otherAction : readForWrite;
  }
  if ((both & ~(read | many)) !== 0) {
    return sameAction;
  }
  return (both & many) !== 0 ? readsMany : (wanted & many) !== 0 ? readsOneForMany : 1;
}
const sameAction = 1.1;
const readsMany = 1.1;
const readsOneForMany = 0.8;
const otherAction = 0.83;
/** Or the other way round. */
const readForWrite = 0.73;
