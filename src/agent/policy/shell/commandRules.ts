/** Which commands rules of the user let a shell start. Whatever is in doubt is asked about. */
import { showHidden } from '../../../base/text/showHidden.js';
import type {
  CommandPartView,
  CommandRulesView,
  RuleView,
} from '../../../protocol/tools/approvalRules.js';
import { readCommands, type ShellCommand, type ShellWord } from './readCommands.js';

/** What a rule says: these words, and with `isPrefix` further ones that are no options and stay inside of the folder. */
export interface CommandPattern {
  /** As {@link canonical} writes them. */
  readonly words: readonly string[];
  readonly isPrefix: boolean;
}

export interface CommandVerdict {
  /** Every part is allowed. */
  readonly isAllowed: boolean;
  /** Empty when the line is not understood. */
  readonly parts: readonly CommandPartView[];
  /** For every part that is not allowed; absent when there is no rule for one of them. */
  readonly offer?: readonly CommandPattern[];
  /** As `offer`, with wider ones where that is sensible; absent when none is. */
  readonly wide?: readonly CommandPattern[];
}

/** Shells whose language {@link readCommands} knows. */
export function isKnownShell(path: string): boolean {
  return /(?:^|[\\/])(?:bash|sh|dash)$/.test(path);
}

const unknown: CommandVerdict = { isAllowed: false, parts: [] };

export function judgeCommand(line: string, rules: readonly RuleView[]): CommandVerdict {
  const commands = readCommands(line);
  if (!commands) {
    return unknown;
  }
  const known = rules.flatMap((rule) =>
    rule.subject.kind === 'command' ? [{ rule, pattern: rule.subject }] : [],
  );
  const staysHere = commands.every((command) => !leavesFolder(unwrap(command)));
  const isCovered = (pattern: CommandPattern, command: ShellCommand) =>
    covers(pattern, command) && (!pattern.isPrefix || staysHere);
  const parts = commands.map((command) => {
    const inner = unwrap(command);
    const found = known.find(({ pattern }) => isCovered(pattern, inner));
    return { text: command.text, inner, rule: isRulable(inner) ? found?.rule : undefined };
  });
  const missing = parts.filter(({ rule }) => rule === undefined);
  const offer = missing.map(({ inner }) => narrow(inner));
  const isOffered = missing.length > 0 && missing.every(({ inner }) => isRulable(inner));
  const wide = missing.map(({ inner }, at) => {
    const wider = widen(inner);
    return wider && isCovered(wider, inner) ? wider : offer[at];
  });
  const isWider = wide.some((pattern) => pattern?.isPrefix);
  return {
    isAllowed: missing.length === 0,
    parts: parts.map(({ text, rule }) => ({ text, ...(rule && { rule }) })),
    ...(isOffered && { offer: unique(offer) }),
    ...(isOffered && isWider && { wide: unique(wide.filter((one) => one !== undefined)) }),
  };
}

export function commandRulesView({ parts, offer, wide }: CommandVerdict): CommandRulesView {
  return {
    parts: parts.map((part) => ({ ...part, text: showHidden(part.text) })),
    ...(offer && { offer: offer.map(patternText) }),
    ...(wide && { wide: wide.map(patternText) }),
  };
}

function patternText({ words, isPrefix }: CommandPattern): string {
  return showHidden([...words, ...(isPrefix ? ['*'] : [])].join(' '));
}

/** In one way, however it was written. */
function canonical({ raw, value }: ShellWord): string {
  if (value === undefined) {
    return raw;
  }
  return /^[\w@%+=:,./-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`;
}

function covers({ words, isPrefix }: CommandPattern, command: ShellCommand): boolean {
  const own = wordsOf(command);
  if (!isPrefix) {
    return own.length === words.length && words.every((word, at) => word === own[at]);
  }
  const further = command.words.slice(words.length);
  return (
    command.isPlain &&
    own.length >= words.length &&
    words.every((word, at) => word === own[at]) &&
    widen(command) !== undefined &&
    further.every((word) => isHarmless(word) && staysInside(word))
  );
}

/** As it stands where more than the program is started: then all of it has to be the same. */
function wordsOf({ words, text, isPlain }: ShellCommand): readonly string[] {
  return isPlain ? words.map(canonical) : [text];
}

/** Nothing that programs take for an option, a setting or a way to reach something. */
function isHarmless({ value, isNoOption, raw }: ShellWord): boolean {
  const text = value ?? raw;
  return isNoOption && !/^[\w.-]+=|::/.test(text);
}

/** Words that begin at the root or a home folder, also behind what names them (`host:/`, `a=~`), or go up. */
const outside = /(?:^|[=:,])[/~]|(?:^|[/=:,])\.\.(?:[/=:,]|$)/;

/** Characters of a pattern whose meaning is plain; braces, quotes and variables have others. */
const plainPattern = /^[\w@%+=:,./*?[\]-]+$/;

/** Whatever it becomes, it names nothing outside of the folder in which the command runs. */
function staysInside({ raw, value }: ShellWord): boolean {
  if (value !== undefined) {
    return !outside.test(value);
  }
  // a pattern finds `..` only where it begins with a dot
  const segments = raw.split('/').filter((segment) => /[*?[\]]/.test(segment));
  return (
    plainPattern.test(raw) && !outside.test(raw) && segments.every((one) => /^[\w*?@%+]/.test(one))
  );
}

/** What later words of the line are relative to is not the folder any more. */
function leavesFolder({ words }: ShellCommand): boolean {
  const [program, ...places] = words;
  const isMove = ['cd', 'pushd', 'popd'].includes(nameOf(program));
  return (
    isMove && (places.length === 0 || !places.every((one) => one.isNoOption && staysInside(one)))
  );
}

function narrow(command: ShellCommand): CommandPattern {
  return { words: wordsOf(command), isPrefix: false };
}

function unique(patterns: readonly CommandPattern[]): readonly CommandPattern[] {
  const seen = new Map(patterns.map((pattern) => [JSON.stringify(pattern), pattern] as const));
  return [...seen.values()];
}

/** They start what follows them, and change nothing about it. */
const wrappers: ReadonlySet<string> = new Set(['time', 'nohup', 'command', 'nice']);

function unwrap(command: ShellCommand): ShellCommand {
  const [program, first] = command.words;
  const name = program?.value ?? '';
  const isTimeout = name === 'timeout' && /^\d+(?:\.\d+)?[smhd]?$/.test(first?.value ?? '');
  const rest = command.words.slice(isTimeout ? 2 : 1);
  const [inner] = rest;
  const isWrapped =
    (wrappers.has(name) || isTimeout) && inner?.value !== undefined && inner.isNoOption;
  return isWrapped && command.isPlain ? unwrap({ ...command, words: rest }) : command;
}

/** They run what they read, what they are given, or as somebody else; or change what later commands mean. */
const launchers: ReadonlySet<string> = new Set(
  (
    'sh bash dash zsh fish ksh csh tcsh pwsh powershell cmd busybox eval source . exec sudo doas su env xargs ssh ' +
    'parallel watch script setsid chroot nsenter unshare flock alias unalias export set shopt declare typeset ' +
    'readonly local unset hash enable bind complete builtin trap read mapfile readarray printf test [ let function'
  ).split(' '),
);

/** What they are given is a program; without anything they read one. */
const interpreters =
  /^(?:python|node|nodejs|deno|bun|perl|ruby|php|lua|g?awk|mawk|sed|tclsh|osascript|jq|vim?|emacs|gdb)[\d.]*$/;

/** Whether a rule may stand for the command at all. */
function isRulable({ words }: ShellCommand): boolean {
  const [program, ...rest] = words;
  const name = nameOf(program);
  if (launchers.has(name)) {
    return false;
  }
  const readsProgram = rest.some(({ raw }) => raw === '-');
  return !interpreters.test(name) || (!readsProgram && rest.some(({ isNoOption }) => isNoOption));
}

/** Their second word says what they do. */
const withSubcommands: ReadonlySet<string> = new Set(
  'git npm pnpm yarn cargo go gh dotnet mvn gradle gradlew bundle rake composer pip pip3 poetry uv kubectl terraform brew apt just make'.split(
    ' ',
  ),
);

/** With any of these the words that follow may be any program, package or setting. */
const runsAnything: ReadonlySet<string> = new Set(
  (
    'exec x dlx create init config set explore install i add update upgrade global link publish api alias extension ' +
    'bisect submodule filter-branch difftool mergetool hook maintenance debug cp attach port-forward proxy eval'
  ).split(' '),
);

/** Their `run` means what the folder names. */
const scriptRunners: ReadonlySet<string> = new Set(['npm', 'pnpm', 'yarn']);

/** They only show things. */
const readers: ReadonlySet<string> = new Set(
  'ls cat head tail wc grep rg stat du df file tree which echo basename dirname realpath cut diff cmp'.split(
    ' ',
  ),
);

/** The command with other words after it, where that is still one thing to do. */
function widen(command: ShellCommand): CommandPattern | undefined {
  const { words, isPlain } = command;
  const [program, second, ...rest] = words;
  const name = nameOf(program);
  if (!isPlain || program?.value === undefined) {
    return undefined;
  }
  if (withSubcommands.has(name) && second?.value !== undefined && second.isNoOption) {
    const isAnything =
      second.value === 'run' ? !scriptRunners.has(name) : runsAnything.has(second.value);
    if (isAnything) {
      return undefined;
    }
    return { words: [canonical(program), canonical(second)], isPrefix: true };
  }
  if (readers.has(name) && second) {
    const options = [second, ...rest].findIndex(({ isNoOption }) => isNoOption);
    const kept = options === -1 ? words : words.slice(0, 1 + options);
    return kept.every(({ value }) => value !== undefined)
      ? { words: kept.map(canonical), isPrefix: true }
      : undefined;
  }
  return undefined;
}

function nameOf(program: ShellWord | undefined): string {
  return (program?.value ?? '').split('/').at(-1) ?? '';
}
