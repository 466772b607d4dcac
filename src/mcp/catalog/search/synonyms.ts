import { stemOf } from './vocabulary.js';

/** Words that people use for the same thing. A word may stand in several lines. */
const groups = [
  'ticket issue bug',
  'folder directory dir',
  'url link address uri website webpage',
  'site website page web',
  'repo repository',
  'doc docs documentation manual reference guide',
  'picture image photo img',
  'screenshot capture snapshot',
  'delete remove erase trash forget drop discard',
  'create make new add',
  'open start launch create',
  'update edit change modify alter patch set',
  'find search look lookup seek locate query',
  'get fetch read retrieve obtain show view display print list',
  'list enumerate browse',
  'send post publish write message',
  'save write store persist create',
  'remember memorize memory store entity observation',
  'person user member people colleague someone profile',
  'copy duplicate clone fork',
  'rename move',
  'js javascript script',
  'db database',
  'row record entry',
  'env environment',
  'click press tap',
  'key keyboard keypress enter',
  'mouse pointer cursor hover',
  'popup alert dialog confirm prompt modal',
  'size resize dimension',
  'big large size length',
  'video screencast recording record',
  'answer reply respond response',
  'conversation thread chat',
  'talk say message',
  'attach upload',
  'execute run evaluate eval',
  'fast slow speed performance latency throttle',
  'leak memory heap',
  'dark light theme scheme',
  'close quit exit shut',
  'ci check status build pipeline',
  'approve review accept',
  'comment remark note',
  'note page document',
  'permitted allowed permission',
  'choose select pick',
  'dropdown select option',
  'type enter fill input',
  'login sign auth form credential',
  'http request network',
  'tree structure hierarchy recursive',
  'history log past recent',
  'latest recent newest last',
  'email mail',
  'zip gzip compress archive',
  'sum add plus total',
  'repeat echo',
  'think reason thought',
  'a11y accessibility',
  'glob pattern wildcard',
  'connect link relate relation relationship',
  'fact observation knowledge',
  'time date clock',
  'config configuration setting preference',
  'error failure exception problem',
];

/** Abbreviations of several words; the single words are searched as well. */
const phrases: Readonly<Record<string, readonly string[]>> = {
  pr: ['pull', 'request'],
  prs: ['pull', 'request'],
  mr: ['merge', 'request'],
  dm: ['direct', 'message'],
  ui: ['user', 'interface'],
  kb: ['knowledge', 'base'],
};

const synonymsByStem = new Map<string, Set<string>>();
for (const group of groups) {
  const stems = group.split(' ').map(stemOf);
  for (const stem of stems) {
    const known = synonymsByStem.get(stem) ?? new Set();
    for (const other of stems) {
      if (other !== stem) {
        known.add(other);
      }
    }
    synonymsByStem.set(stem, known);
  }
}

/** Stems of words with the same or a near meaning. */
export function synonymsOf(stem: string): ReadonlySet<string> {
  return synonymsByStem.get(stem) ?? noSynonyms;
}
const noSynonyms: ReadonlySet<string> = new Set();

/** The words that an abbreviation stands for. */
export function spelledOut(word: string): readonly string[] | undefined {
  return Object.hasOwn(phrases, word) ? phrases[word] : undefined;
}
