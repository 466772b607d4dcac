/** What else the words of a request may mean: synonyms, forms that no rule shortens, and words that mean something together. */
import { synonymGroups } from './synonymGroups.js';
import { stemOf } from './vocabulary.js';

/** Words of several forms that no rule shortens. */
const irregularForms = `
said says saying:say; wrote written:write; made:make; sent:send; bought:buy; sold:sell; paid:pay;
found:find; took taken:take; gave given:give; told:tell; broke broken:break; ran:run;
drew drawn:draw; got gotten:get; went gone:go; saw seen:see; kept:keep; lost:lose; met:meet;
held:hold; spoke spoken:speak; thrown threw:throw; chose chosen:choose; indices indexes:index;
people:person; children:child
`;

/** What a row of words means; the words themselves count little then. */
const phraseLines = `
pr: pull request; prs: pull request; mr: merge request; mrs: merge request; dm: direct message;
ui: user interface; kb: knowledge base; put aside: stash; set aside: stash; for later: stash save;
money back: refund; give back: refund return; out loud: speech; read aloud: speech;
write down: save transcribe; tick off: complete; check off: complete; cross off: complete;
turn off: stop off; switch off: stop off; turn on: start on; switch on: start on;
shut down: stop terminate; get rid: delete; throw out: remove kick; throw away: delete;
find out: search get; look up: search lookup; sign in: login; log in: login auth;
sign up: register subscribe; pull down: download; bring over: copy; how many: count;
how much: cost amount price usage; how long: duration time; how far: distance; how big: size;
how large: size; how high: elevation; how old: age date; how popular: trend popularity;
out office: vacation; bundle size: size; find replace: replace; push back: reschedule;
put off: reschedule; call off: cancel delete; check out: checkout; bring back: restore;
kick off: trigger start; set up: create configure; take over: override; take down: delete remove;
hand over: assign transfer; keep track: track; let know: send message notify; in stock: inventory;
bank account: balance account; no more: stop unsubscribe block; never again: block mute;
go live: stream deploy publish; other words: rephrase; left behind: abandoned;
same thing: duplicate merge; spin up: create; bring up: start up; tear down: down delete remove;
plug in: plugin; back up: backup snapshot; what time: time current; on call: oncall;
on duty: oncall; in charge: owner oncall; go back: back rollback; roll back: rollback;
web page: page url; stack trace: stacktrace detail; near me: local nearby; make sure: check;
day off: vacation
`;

export interface Synonym {
  readonly stem: string;
  /** Each of the two may stand for the other one. */
  readonly isMutual: boolean;
}

/** What tools may say for a word of this stem. */
export function synonymsOf(stem: string): readonly Synonym[] {
  const { found } = tables();
  const known = found.get(stem) ?? findSynonyms(stem);
  if (known.length > 0) {
    found.set(stem, known);
  }
  return known;
}

export function baseFormOf(word: string): string {
  return tables().baseForms.get(word) ?? word;
}

/** What one word (an abbreviation) or two that stand near each other mean together. */
export function phraseMeaning(words: string): readonly string[] | undefined {
  return tables().phrases.get(words);
}

let read: ReturnType<typeof readTables> | undefined;

/** Read with the first search, which not every session has. */
function tables() {
  read ??= readTables();
  return read;
}

function readTables() {
  const baseForms = new Map<string, string>();
  for (const [forms = '', base = ''] of entriesOf(irregularForms, ':')) {
    for (const form of forms.split(' ')) {
      baseForms.set(form, base);
    }
  }
  const phrases = new Map<string, readonly string[]>();
  for (const [words = '', meaning = ''] of entriesOf(phraseLines, ': ')) {
    phrases.set(words, meaning.split(' '));
  }
  const groups = entriesOf(synonymGroups, ' > ').map(([asked = '', named]) => ({
    asked: asked.split(' '),
    named: named?.split(' '),
  }));
  const found = new Map</* stem */ string, readonly Synonym[]>();
  return { baseForms, phrases, groups, found };
}

/** Looks at every group, since to stem the whole table takes as long as hundreds of searches. */
function findSynonyms(stem: string): readonly Synonym[] {
  const found = new Map<string, Synonym>();
  for (const { asked, named } of tables().groups) {
    if (!asked.some((word) => word.startsWith(stem.slice(0, 2)) && stemOf(word) === stem)) {
      continue;
    }
    for (const word of named ?? asked) {
      const other = stemOf(word);
      if (other !== stem) {
        const isMutual = named === undefined || found.get(other)?.isMutual === true;
        found.set(other, { stem: other, isMutual });
      }
    }
  }
  return [...found.values()];
}

function entriesOf(table: string, separator: string): readonly (readonly string[])[] {
  return table
    .trim()
    .split(/;\s*/)
    .map((entry) => entry.split(separator));
}
