/** What kind of thing a tool does and a request asks for, more finely than {@link actionOf}. */
import { lazy } from '../../../../base/async/once.js';
import { stemOf } from './vocabulary.js';

const kinds = [
  'list',
  'get',
  'search',
  'check',
  'create',
  'copy',
  'update',
  'move',
  'remove',
  'send',
  'upload',
  'download',
  'start',
  'stop',
  'approve',
  'reject',
] as const;
type Kind = (typeof kinds)[number];

/** What a verb may mean; empty when no verb tells. */
export type Kinds = ReadonlySet<Kind>;

const readKinds: Kinds = new Set(['list', 'get', 'search', 'check', 'download']);

export function isRead(kind: Kind): boolean {
  return readKinds.has(kind);
}

/** Verbs that are hardly ever anything else, also in the middle of a request. */
const clearVerbs: Readonly<Record<Kind, string>> = {
  list: 'list enumerate',
  get: 'get fetch retrieve read describe inspect obtain',
  search: 'search find query locate',
  check: 'check verify validate analyze analyse evaluate diagnose compare calculate',
  create: 'create add insert generate append compose',
  copy: 'duplicate clone',
  update: 'update edit modify configure rename replace resize convert',
  move: 'move transfer reschedule',
  remove: 'delete remove erase purge discard revoke uninstall unsubscribe',
  send: 'send publish reply notify submit',
  upload: 'upload push attach',
  download: 'download export extract pull',
  start: 'run execute start trigger launch invoke restart reboot retry resume deploy',
  stop: 'stop terminate kill cancel abort',
  approve: 'approve accept acknowledge merge',
  reject: 'reject decline',
};

/** Verbs that may be nouns or qualities as well: they tell where a request begins, and in the names of tools. */
const leadingVerbs: Readonly<Record<Kind, string>> = {
  list: 'browse index',
  get: 'show view see display print tell give know explain look summarize summarise count track watch follow tail open load monitor',
  search: 'lookup filter explore discover scan seek google hunt query',
  check: 'test measure audit profile benchmark solve',
  create:
    'make new another build register write draft record book schedule plan log note report file raise draw paint sketch buy order invite save store remember bill name open jot set generate reserve start',
  copy: 'copy fork mirror back',
  update:
    'change set patch put adjust assign mark tag label format turn switch rename correct fix amend revise make protect lock unlock pin star mute dim heat warm raise lower limit merge apply trim crop cut rotate compress shrink enlarge combine join split close finish complete resolve solve translate transcribe give share allow enable subscribe',
  move: 'push shift postpone put drag switch swap relocate carry drop',
  remove:
    'clear drop archive trash forget wipe throw scrap empty reset undo take kick ban block hide clean destroy cleanup get free dump disconnect leave',
  send: 'post share forward answer respond message mail email text write tell ask say call ring announce comment publish deliver pass greet remind inform page press type',
  upload: 'put import store load attach',
  download: 'save dump grab pull copy get',
  start:
    'play open begin kick boot wake call rerun click press tap do execute visit navigate go apply bring spin plan build test install ping record render turn switch connect hover scroll select choose fill type use wait draw enter',
  stop: 'pause end close quit mute shut turn suspend silence halt finish block switch hang leave disable exit',
  approve: 'confirm agree ok sign lgtm resolve allow',
  reject: 'deny refuse dispute',
};

const nothing: Kinds = new Set();

/** Read with the first search, which not every session has. */
const verbs = lazy(() => ({
  clear: readTables([clearVerbs]),
  leading: readTables([clearVerbs, leadingVerbs]),
}));

function readTables(tables: readonly Readonly<Record<Kind, string>>[]) {
  const found = new Map<string, Set<Kind>>();
  for (const table of tables) {
    for (const kind of kinds) {
      for (const word of table[kind].split(' ').flatMap((verb) => [verb, stemOf(verb)])) {
        const known = found.get(word) ?? new Set<Kind>();
        found.set(word, known.add(kind));
      }
    }
  }
  return found;
}

export interface WantedKind {
  readonly form: 'question' | 'imperative' | 'noun' | 'new';
  readonly kinds: Kinds;
  /** Several are asked for. */
  readonly isMany: boolean;
}

const questionWords = setOf(
  'what which who whom whose when where why how is am are was were do does did has have any will may can should could would',
);
const newness = setOf('new another one second further extra');
const fillers = setOf(
  'please kindly now then just the a an my our your me us i we to and also quickly again maybe hey ok so',
);
const determiners = setOf(
  'the a an my our your this that these those it its his her all every each some any someone somebody everyone them him',
);
/** Also verbs: open bugs are not to be opened. */
const qualities = setOf(
  'open closed unread read current running active recent latest last old top hot popular free archived live set merged failed',
);

/** @param words of a request without courtesies, as written, in lower case */
export function wantedKind(words: readonly string[]): WantedKind {
  const isMany = words.some(isPlural);
  const [first = ''] = words;
  if (questionWords.has(first)) {
    return first === 'which' || isMany
      ? { form: 'question', kinds: new Set(['list', 'get', 'search', 'check']), isMany: true }
      : { form: 'question', kinds: new Set(['get', 'check', 'list']), isMany: false };
  }
  const start = words.findIndex((word) => !fillers.has(word));
  const word = words[start] ?? '';
  if (newness.has(word) && start <= 1) {
    return { form: 'new', kinds: new Set(['create']), isMany: false };
  }
  const leading = verbs().leading.get(word);
  if (leading && canLead(words, start)) {
    return { form: 'imperative', kinds: kindsOfPhrase(words, start, leading), isMany };
  }
  const clear = words.findIndex(
    (other, index) =>
      index > start && verbs().clear.has(other) && !determiners.has(words[index - 1] as string),
  );
  if (clear > 0) {
    return {
      form: 'imperative',
      kinds: verbs().clear.get(words[clear] as string) ?? nothing,
      isMany,
    };
  }
  return { form: 'noun', kinds: new Set(['list', 'search', 'get']), isMany };
}

/** Whether the word, which may be a verb, is one there. */
function canLead(words: readonly string[], at: number): boolean {
  const word = words[at] ?? '';
  const next = words[at + 1] ?? '';
  const isQuality = qualities.has(word) && (isPlural(next) || words.length === 2);
  const isDetermined = at > 0 && determiners.has(words[at - 1] as string);
  return !isDetermined && !isPlural(word) && !isQuality && next !== 'of';
}

/** Verbs of which another word says what is done. */
const phrases: readonly (readonly [RegExp, readonly Kind[]])[] = [
  [/^(?:take|throw|put|give|clear|tear|get)\b.*\b(?:away|rid|out|down)\b/, ['remove', 'stop']],
  [/^(?:turn|switch|shut|power)\b.*\b(?:off|down)\b/, ['stop', 'update']],
  [/^(?:turn|switch|power|fire|spin|bring)\b.*\b(?:on|up)\b/, ['start', 'create', 'update']],
  [/^set\b.*\bup\b/, ['create']],
  [/^(?:write|note|jot|put)\b.*\bdown\b/, ['create']],
  [/^(?:look|find)\b.*\b(?:up|out|at|for)\b/, ['search', 'get', 'list']],
  [/^make\b.*\bsure\b/, ['check']],
  [/^take\b.*\b(?:screenshot|snapshot|picture|photo)\b/, ['create', 'get', 'start']],
  [/^(?:put|add)\b.*\b(?:into|in|on|onto|to)\b/, ['create', 'upload', 'update', 'move']],
  [
    /^make\b \w+ (?:\w+ )?(?:smaller|bigger|larger|louder|quieter|shorter|longer|faster|slower|bold|public|private|brighter|darker)\b/,
    ['update'],
  ],
  [/^let\b.*\bknow\b/, ['send']],
  [/^(?:say|tell|write|talk|speak)\b/, ['send', 'create']],
];

function kindsOfPhrase(words: readonly string[], start: number, ofVerb: Kinds): Kinds {
  const text = words.slice(start, start + maxPhrase).join(' ');
  const [, kinds = []] = phrases.find(([pattern]) => pattern.test(text)) ?? [];
  return new Set([...kinds, ...ofVerb]);
}
/** Words; the particle of a verb is not farther away. */
const maxPhrase = 20;

const singulars =
  /^(?:this|does|always|perhaps|yes|kubernetes|jenkins|postgres|redis|sales|news|aws|gas|has|was|is|its|dns|ios|sms|css|https?|docs?)$/;

export function isPlural(word: string): boolean {
  return (
    word === 'people' ||
    word === 'children' ||
    (word.length > 3 && /[^sui]s$/.test(word) && !singulars.test(word))
  );
}

/**
 * What a tool does: a clear verb with which its name begins, else the verb of its description, else any verb of its name.
 *
 * @param name its words in lower case
 */
export function kindsOfTool(name: readonly string[], description: string): Kinds {
  const { clear, leading } = verbs();
  const first = clear.get(name[0] ?? '');
  if (first) {
    return first;
  }
  const [verb = ''] = description
    .slice(0, maxVerb)
    .toLowerCase()
    .split(/[^a-z]+/);
  const described = verb === 'this' ? undefined : leading.get(stemOf(verb));
  return described ?? name.map((word) => leading.get(word)).find(Boolean) ?? nothing;
}
/** Characters. */
const maxVerb = 30;

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}
