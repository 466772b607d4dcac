/**
 * The commands that are known exactly: which of their options change nothing but what is shown, and what their operands
 * are. What does not stand here is never taken for more than it is: a rule can mean it only word for word.
 *
 * A row belongs here when none of its options and operands can name a program, a file to write, another host or another
 * thing to do, in any version of the program, whatever the files of the folder are.
 */
import type { ShellCommand, ShellWord } from './shellCommand.js';
import { staysInside } from './wordPlaces.js';

interface Grammar {
  /** Letters of options without a value; digits stand for numbers such as `-20`. */
  readonly flags: string;
  /** Letters of options whose value is a number or a text. */
  readonly valued: string;
  /** Names of options whose value, if any, is a number or a text; they have it behind `=`. */
  readonly long: readonly string[];
  /** Shows what it is fed, and never takes it for commands. */
  readonly isFilter: boolean;
  /** With other operands it does the same with something else. */
  readonly isWide: boolean;
  /** Opens what its operands name. */
  readonly opens: boolean;
  /** Operands before those that it opens. */
  readonly texts: number;
  /** Reads whatever the folders hold that it is given, links too. */
  readonly isOfFiles: boolean;
  /** What each operand has to be, beside staying inside of the folder. */
  readonly operand: RegExp;
}

const none: Grammar = {
  flags: '',
  valued: '',
  long: [],
  isFilter: false,
  isWide: true,
  opens: false,
  texts: 0,
  isOfFiles: false,
  operand: /^/,
};

function names(text: string): readonly string[] {
  return text.split(' ').filter((name) => name !== '');
}

function shows(flags: string, valued = '', long = '', more: Partial<Grammar> = {}): Grammar {
  return { ...none, isFilter: true, opens: true, flags, valued, long: names(long), ...more };
}

const says = { opens: false } as const;
const onlyFilters = { isWide: false } as const;

/** They show files, or what they are given. Never here: what follows links, writes, or starts something for an option. */
const readers: Readonly<Record<string, Grammar>> = {
  cat: shows('AbeEnstTuv', '', 'number number-nonblank show-all show-ends show-tabs'),
  head: shows('0123456789qvz', 'cn', 'bytes lines quiet silent verbose'),
  tail: shows('0123456789fFqrvz', 'cn', 'bytes lines quiet silent verbose'),
  wc: shows('clLmw', '', 'bytes chars lines words max-line-length'),
  ls: shows(
    '1aAbBcCdfFgGhiklmnopqQrRsStuUvxXZ',
    'ITw',
    'all almost-all color full-time group-directories-first human-readable inode recursive reverse size sort time',
  ),
  grep: shows(
    '0123456789abcEFGhHiIlLnoPqrsTUvwxyZz',
    'ABCem',
    'after-context before-context binary-files color colour context count exclude exclude-dir extended-regexp ' +
      'files-with-matches files-without-match fixed-strings ignore-case include invert-match line-number line-regexp ' +
      'max-count no-filename no-messages only-matching perl-regexp quiet recursive regexp text with-filename word-regexp',
    { texts: 1 },
  ),
  rg: shows(
    '.0abcFhHiIlnNopPqsSuUvwx',
    'ABCegmrtTM',
    'after-context before-context case-sensitive color context count files files-with-matches fixed-strings glob ' +
      'heading hidden iglob ignore-case invert-match json line-number max-columns max-count max-depth multiline ' +
      'no-heading no-ignore no-line-number only-matching regexp replace smart-case sort stats type type-not word-regexp',
    { texts: 1 },
  ),
  stat: shows('fltx', 'c', 'format printf terse'),
  du: shows(
    '0abchkmsSx',
    'Bdt',
    'all apparent-size bytes human-readable max-depth summarize total',
  ),
  df: shows('aHhiklmPT', '', 'human-readable'),
  file: shows('bhik', '', 'brief mime mime-encoding mime-type'),
  tree: shows('aACdDfFghinNpqQrstuUv', 'ILP', 'dirsfirst du gitignore noreport prune'),
  cut: shows('nsz', 'bcdf', 'bytes characters complement delimiter fields output-delimiter'),
  diff: shows(
    '0123456789abBdeEinpqstTuwy',
    'CUW',
    'brief color context ignore-all-space ignore-blank-lines ignore-case ignore-space-change minimal side-by-side unified',
    { isOfFiles: true },
  ),
  cmp: shows('bls', 'in', 'bytes print-bytes silent quiet verbose'),
  echo: shows('eEn', '', '', says),
  which: shows('a', '', 'all', says),
  basename: shows('az', 's', 'multiple suffix zero', says),
  dirname: shows('z', '', 'zero', says),
  realpath: shows('eEmLPqsz', '', 'canonicalize-existing canonicalize-missing strip no-symlinks'),
  // behind a pipe alone
  sort: shows(
    'bcCdfghiMmnRrsuVz',
    'kt',
    'field-separator key numeric-sort reverse unique',
    onlyFilters,
  ),
  uniq: shows('cdDiuz', 'fsw', 'count repeated unique', { ...onlyFilters, operand: /$^/ }),
  tr: shows('cCdst', '', 'complement delete squeeze-repeats', { ...onlyFilters, ...says }),
  nl: shows('p', 'bdfhilnsvw', '', onlyFilters),
  tac: shows('b', 's', '', onlyFilters),
  rev: shows('', '', '', onlyFilters),
  comm: shows('123z', '', '', onlyFilters),
  paste: shows('sz', 'd', '', onlyFilters),
  fold: shows('bs', 'w', '', onlyFilters),
  column: shows('tnxe', 'csNo', 'table separator output-separator', onlyFilters),
  jq: shows('aceMnrRsSj', '', 'raw-output compact-output slurp tab exit-status', onlyFilters),
  less: shows('FINnRSX', '', '', onlyFilters),
  sed: shows('nErs', '', '', {
    ...onlyFilters,
    // it prints lines, or puts a text for another: no commands, no files
    operand: /^(?:\d+(?:,(?:\d+|\$))?p|s\/(?:[^/\\\n]|\\[^\n])*\/(?:[^/\\\n]|\\[^\n])*\/[gip\d]*)$/,
  }),
  awk: shows('', 'F', '', {
    ...onlyFilters,
    operand: /^(?:\{ *print(?: *,? *\$(?:\d+|NF))+ *\}|NR *[=<>]=? *\d+)$/,
  }),
};

/** What a program does for each of these words. */
function verbs(
  words: string,
  more: Partial<Grammar> = {},
): readonly (readonly [string, Grammar])[] {
  return words.split('|').map((one) => [one.trim(), { ...none, ...more }] as const);
}

/** Not what makes a path one of the whole repository, which may be larger than the folder. */
const inFolder = { operand: /^[^:]/ } as const;
const history = {
  ...inFolder,
  flags: '0123456789bpw',
  valued: 'nU',
  long: names(
    'all author cached color decorate format graph max-count merges name-only name-status no-color no-merges numstat ' +
      'oneline pretty reverse shortstat since staged stat until',
  ),
};
/** A path that says that it is one. */
const local = { operand: /^\.(?:\/|$)/ } as const;
/** No request, run or issue of another repository or host. */
const numbered = { operand: /^\d+$/ } as const;
/** No file of further arguments. */
const noArgumentFile = { operand: /^[^@]/ } as const;
const scripts = 'test | start | build | lint | dev | typecheck';
const installed = 'list | show | freeze | check';

/**
 * Checkers of the folder's code; they run what its configuration names, as any script of the folder does. No option that
 * names a program, a module, a configuration or another folder.
 */
const checkers = {
  eslint: { flags: '', valued: '', long: names('cache color fix max-warnings no-color quiet') },
  jest: {
    flags: 'bi',
    valued: 't',
    long: names('bail coverage no-coverage runInBand silent testNamePattern verbose'),
  },
  pytest: {
    flags: 'lqsvx',
    valued: 'k',
    long: names('durations exitfirst ff lf maxfail no-header quiet tb verbose'),
  },
  'vitest run': {
    flags: '',
    valued: 't',
    long: names('bail coverage no-color passWithNoTests silent testNamePattern'),
  },
  'tsc --noEmit': { flags: '', valued: '', long: names('pretty skipLibCheck strict') },
  'biome check': { flags: '', valued: '', long: names('error-on-warnings max-diagnostics') },
  'prettier --check': { flags: '', valued: '', long: names('log-level no-color') },
} as const;
const checks: readonly (readonly [string, Grammar])[] = Object.entries(checkers).map(
  ([line, options]) => [line, { ...none, ...noArgumentFile, ...options }],
);

function checksOf(...[before, line]: readonly [string, string]): typeof checks {
  return checks.filter(([one]) => one === line).map(([, row]) => [`${before} ${line}`, row]);
}

/**
 * The words behind these programs say what they do. Never here: what goes to a host that an operand names, what runs
 * any installed program, and what takes further things to do as operands (targets, goals, tasks).
 */
const verbsOf: Readonly<Record<string, readonly (readonly [string, Grammar])[]>> = {
  git: [
    ...verbs('status', {
      ...inFolder,
      flags: 'bsvz',
      valued: 'u',
      long: names('branch long porcelain short'),
    }),
    ...verbs('log | show', history),
    // without a repository it opens files itself
    ...verbs('diff', { ...history, opens: true }),
    ...verbs('ls-files', {
      ...inFolder,
      flags: 'cdmost',
      long: names('cached deleted exclude-standard modified others stage'),
    }),
    ...verbs('rev-parse', {
      ...inFolder,
      long: names('abbrev-ref is-inside-work-tree short show-toplevel verify'),
    }),
    ...verbs('blame', { ...inFolder, flags: 'elstw', valued: 'L', long: names('date since') }),
    ...verbs('grep', {
      ...inFolder,
      flags: 'cEFhHiIlLnPpvw',
      valued: 'ABCe',
      long: names('cached count files-with-matches ignore-case line-number untracked word-regexp'),
    }),
    ...verbs('shortlog', { ...inFolder, flags: 'ens' }),
    ...verbs('cat-file', { ...inFolder, flags: 'epst' }),
    ...verbs('describe', { ...inFolder, long: names('abbrev all always long tags') }),
    ...verbs(
      'ls-tree | rev-list | merge-base | for-each-ref | name-rev | show-ref | stash list | worktree list | add | commit',
      inFolder,
    ),
  ],
  // `env` is there without being one of the scripts
  npm: [
    ...verbs('run | run-script', { operand: /^(?!env$|[^/]*[*?[])/ }),
    ...verbs('test | t | tst | start | stop | restart | ls | list | why | explain | root | prefix'),
  ],
  pnpm: [...verbs('run'), ...verbs(`${scripts} | t | ls | list | why`)],
  // `run` takes the name of any installed program for that of a script, too
  yarn: verbs(`${scripts} | run ${scripts.replaceAll('| ', '| run ')} | list | why`),
  npx: checks,
  python: checksOf('-m', 'pytest'),
  python3: checksOf('-m', 'pytest'),
  cargo: verbs(
    'build | b | check | c | test | t | clippy | bench | doc | tree | metadata | fmt',
    noArgumentFile,
  ),
  go: [...verbs('build | test | vet | fmt | list | generate', local), ...verbs('doc')],
  dotnet: verbs('build | test | restore', noArgumentFile),
  pip: verbs(installed),
  pip3: verbs(installed),
  uv: verbs('tree | pip list | pip show | pip freeze | pip check | pip tree'),
  poetry: verbs('show | check'),
  gh: verbs(
    'pr view | pr list | pr status | pr diff | pr checks | issue view | issue list | issue status | run view | run list',
    numbered,
  ),
  kubectl: verbs('get | describe | logs | top | explain'),
  terraform: verbs('validate | show'),
  bundle: verbs('list | show | info | check'),
  composer: verbs('show | validate | test'),
  apt: verbs('list | show | search'),
  brew: verbs('list'),
};

/** They make no links, or run the folder's own code, which could do whatever a link does. */
const linkless: ReadonlySet<string> = new Set(
  names(
    'cd chdir pushd popd mkdir rmdir rm touch chmod sleep date pwd true false make cargo npm npx pnpm yarn bun node ' +
      'deno python python3 pytest ruby go dotnet mvn gradle tsc vitest jest eslint biome prettier tee curl',
  ),
);
const linklessVerbs: ReadonlySet<string> = new Set([
  'git fetch',
  'git push',
  'git branch',
  'git tag',
]);

/** A command as its row reads it. */
export interface KnownCommand {
  readonly grammar: Grammar;
  /** The program, what it does, and its options. */
  readonly kept: readonly ShellWord[];
  readonly operands: readonly ShellWord[];
  /** Those that may name something that it opens. */
  readonly opened: readonly ShellWord[];
  /** Those that are certainly texts, such as what is searched for. */
  readonly texts: readonly ShellWord[];
}

/** `undefined`: not known, or not with these options. */
export function findGrammar({ words }: ShellCommand): KnownCommand | undefined {
  const found = rowOf(words);
  if (!found) {
    return undefined;
  }
  const { grammar, length } = found;
  const rest = words.slice(length);
  const first = rest.findIndex(({ isNoOption }) => isNoOption);
  const options = first === -1 ? rest : rest.slice(0, first);
  if (!options.every((option) => isKnownOption(option, grammar))) {
    return undefined;
  }
  const operands = rest.slice(options.length);
  const last = options.at(-1)?.value ?? '';
  const takesNext = isShort(last) && grammar.valued.includes(last.at(-1) ?? '-');
  const isGiven = options.some(({ value }) => /^-[^-]*e|^--(?:regexp|files$)/.test(value ?? ''));
  const given = isGiven ? 0 : grammar.texts;
  // an option may have its value in the same word or in the next one
  const hasValues = options.some(({ value = '' }) => isShort(value) && !isOfFlags(value, grammar));
  return {
    grammar,
    kept: words.slice(0, length + options.length),
    operands,
    opened: grammar.opens ? operands.slice((takesNext ? 1 : 0) + given) : [],
    texts: hasValues ? [] : operands.slice(0, given),
  };
}

/** After it links lead where they led before. */
export function keepsLinks({ words }: ShellCommand): boolean {
  const [program, verb] = words;
  const name = program?.value ?? '';
  return (
    linkless.has(name) ||
    linklessVerbs.has(`${name} ${verb?.value ?? ''}`) ||
    (program !== undefined && name.includes('/') && staysInside(program)) ||
    rowOf(words) !== undefined
  );
}

/** What it is fed is nothing but what it shows. */
export function isFilter(command: ShellCommand): boolean {
  const { grammar, operands } = findGrammar(command) ?? {};
  return (
    grammar?.isFilter === true &&
    command.isPlain &&
    operands?.every(({ value, raw }) => grammar.operand.test(value ?? raw)) === true
  );
}

function rowOf(
  words: readonly ShellWord[],
): { readonly grammar: Grammar; readonly length: number } | undefined {
  const [program = '', second = '', third = ''] = words.map(({ value }) => value ?? '');
  if (Object.hasOwn(readers, program)) {
    const grammar = readers[program];
    return grammar && { grammar, length: 1 };
  }
  const check = rowIn(checks, [program, second]);
  if (check) {
    return check;
  }
  const rows = Object.hasOwn(verbsOf, program) ? (verbsOf[program] ?? []) : [];
  const row = rowIn(rows, [second, third]);
  return row && { ...row, length: row.length + 1 };
}

/** The row of both words, or else of the first. */
function rowIn(
  rows: readonly (readonly [string, Grammar])[],
  [first, second]: readonly [string, string],
) {
  const both = rows.find(([line]) => line === `${first} ${second}`);
  const one = rows.find(([line]) => line === first && !first.includes(' '));
  const row = both ?? one;
  return row && { grammar: row[1], length: row === both ? 2 : 1 };
}

function isShort(option: string): boolean {
  return /^-[^-]/.test(option);
}

function isOfFlags(option: string, { flags }: Grammar): boolean {
  return [...option.slice(1)].every((letter) => flags.includes(letter));
}

function isKnownOption({ value }: ShellWord, { flags, valued, long, isFilter }: Grammar): boolean {
  if (value === undefined) {
    return false;
  }
  if (
    value === '--' ||
    (value === '-' && isFilter) ||
    (/^\+\d+$/.test(value) && flags.includes('0'))
  ) {
    return true;
  }
  if (!isShort(value)) {
    return long.includes(/^--([\w-]+)(?:=|$)/.exec(value)?.[1] ?? '');
  }
  const letters = [...value.slice(1)];
  const at = letters.findIndex((letter) => !flags.includes(letter));
  return at === -1 || valued.includes(letters[at] ?? '-');
}
