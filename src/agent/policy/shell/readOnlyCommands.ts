/**
 * Commands that run without a question: all that they do, in any version, is to read inside of the folder, whatever its
 * files are. What the folder pins or configures for a program (`.npmrc`, `rust-toolchain.toml`, `packageManager`) runs or
 * loads things for it, so such programs are not among them.
 */
import { findGrammar, type KnownCommand } from './grammars.js';
import type { ReadingPlaces } from './readingPlaces.js';
import type { ShellCommand, ShellWord } from './shellCommand.js';

/** Rows of the grammars that read; the others are said below. */
const readers: ReadonlySet<string> = new Set(
  (
    'cat head tail wc ls grep rg stat du df file tree cut diff cmp comm sort uniq tr nl tac rev echo which basename ' +
    'dirname realpath'
  ).split(' '),
);

const gitVerbs: ReadonlySet<string> = new Set([
  ...'status log diff show blame ls-files ls-tree rev-parse rev-list describe shortlog merge-base cat-file'.split(
    ' ',
  ),
  ...['for-each-ref', 'grep', 'name-rev', 'show-ref', 'stash list', 'worktree list'],
]);

/** The words behind the program, by program: each whole. */
const lines: Readonly<Record<string, RegExp>> = {
  pwd: /^(?:-[LP])?$/,
  true: /^$/,
  false: /^$/,
  whoami: /^$/,
  uname: /^(?:-[amnoprsv]+)?$/,
  node: /^(?:-v|--version)$/,
  python: /^(?:-V|--version)$/,
  python3: /^(?:-V|--version)$/,
  java: /^(?:-version|--version)$/,
  git: /^(?:--version|branch(?: (?:-[arv]+|--all|--remotes|--show-current|--list|--no-color))*|tag(?: (?:-l|--list))?|remote(?: -v)?)$/,
};

/** Prints lines by their numbers. */
const lineNumbers = /^\d+(?:,(?:\d+|\$))?p$/;
/** Fields, indexes and calls without arguments; no variables, and nothing that tells of the environment. */
const plainFilter = /^(?!.*\b(?:env|import|include|modulemeta)\b)[\w.[\]'"|,: -]+$/;

/** Whether the word names nothing outside of the folder. @param isFile nor a folder */
type IsInside = (word: ShellWord, isFile?: boolean) => boolean;

export function onlyReads(
  command: ShellCommand,
  places: ReadingPlaces,
  isInside: IsInside,
): boolean {
  const [program, ...rest] = command.words;
  const name = program?.value ?? '';
  const isOther = program?.raw !== name || !places.programs.has(name);
  if (!command.isPlain || isOther || (name === 'git' && !places.isPlainRepository)) {
    return false;
  }
  if (name === 'cd') {
    return rest.length === 1 && rest.every((word) => word.isNoOption && isInside(word));
  }
  const line = Object.hasOwn(lines, name) ? lines[name] : undefined;
  const values = rest.map(({ value }) => value);
  if (line && values.every((value) => /^\S+$/.test(value ?? '')) && line.test(values.join(' '))) {
    return true;
  }
  switch (name) {
    case 'date':
      return values.every((value) => /^(?:-[uR]|-I[a-z]*|--utc|\+.*)$/.test(value ?? ''));
    case 'find':
      return isSearch(rest, isInside);
    case 'sed':
      return isScript(rest, ['-n'], lineNumbers, isInside);
    case 'jq':
      return isScript(rest, ['-r', '-c', '-e', '-S', '-s'], plainFilter, isInside);
    case 'git':
      return gitVerbs.has(verbOf(values)) && readsInside(findGrammar(command), isInside);
    default:
      return readers.has(name) && readsKnown(name, findGrammar(command), isInside);
  }
}

function verbOf([first = '', second = '']: readonly (string | undefined)[]): string {
  return ['stash', 'worktree'].includes(first) ? `${first} ${second}` : first;
}

function readsKnown(name: string, known: KnownCommand | undefined, isInside: IsInside): boolean {
  const operands = known?.operands ?? [];
  if (known?.grammar.opens === false) {
    return operands.every(({ value }) => value !== undefined);
  }
  // it would never end
  const follows =
    name === 'tail' && known?.kept.some(({ value }) => /^-[^-]*[fF]/.test(value ?? ''));
  // a second one would be written
  const writes = name === 'uniq' && operands.length > 0;
  return !follows && !writes && readsInside(known, isInside);
}

function readsInside(known: KnownCommand | undefined, isInside: IsInside): boolean {
  return (
    known?.operands.every(
      (word) =>
        word.value === '--' ||
        (known.texts.includes(word) && isText(word)) ||
        (word.isNoOption &&
          known.grammar.operand.test(word.value ?? word.raw) &&
          isInside(word, known.grammar.isOfFiles)),
    ) === true
  );
}

/** Known to the letter, which what a variable holds is not. */
function isText({ value, isNoOption }: ShellWord): boolean {
  return value !== undefined && isNoOption;
}

/** A script between options and files. */
function isScript(
  words: readonly ShellWord[],
  options: readonly string[],
  script: RegExp,
  isInside: IsInside,
): boolean {
  const at = words.findIndex(({ value }) => !options.includes(value ?? ''));
  const [text, ...files] = at === -1 ? [] : words.slice(at);
  const isKnown = text?.value !== undefined && text.isNoOption && script.test(text.value);
  return isKnown && files.every((word) => word.isNoOption && isInside(word));
}

/** Tests of `find` that have no value, and those with one that is a text. */
const bareTests: ReadonlySet<string> = new Set(
  '-a -and -o -or -not ! ( ) -print -print0 -prune -empty -true -false -depth'.split(' '),
);
const valuedTests: ReadonlySet<string> = new Set(
  '-name -iname -path -ipath -wholename -regex -iregex -type -maxdepth -mindepth -size -mtime -mmin -ctime -atime -perm -user'.split(
    ' ',
  ),
);

function isSearch(words: readonly ShellWord[], isInside: IsInside): boolean {
  const first = words.findIndex(
    ({ value, isNoOption }) => !isNoOption || /^[(!]$/.test(value ?? ''),
  );
  const folders = first === -1 ? words : words.slice(0, first);
  const tests = first === -1 ? [] : words.slice(first);
  for (let at = 0; at < tests.length; at++) {
    const value = tests[at]?.value ?? '';
    if (valuedTests.has(value) && tests[at + 1]?.value !== undefined) {
      at++;
    } else if (!bareTests.has(value)) {
      return false;
    }
  }
  return folders.every((word) => isInside(word));
}
