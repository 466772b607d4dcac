/** Which commands rules of the user let a shell start. Whatever is in doubt is asked about. */
import { showHidden } from '../../../base/text/showHidden.js';
import type {
  CallReason,
  CommandPartView,
  CommandRulesView,
  RuleView,
  StartKind,
} from '../../../protocol/tools/approvalRules.js';
import { findGrammar, isFilter, keepsLinks } from './grammars.js';
import { startedByWrites } from './lineWrites.js';
import { readCommands } from './readCommands.js';
import { findReadingPlaces, noReadingPlaces, type ReadingPlaces } from './readingPlaces.js';
import { onlyReads } from './readOnlyCommands.js';
import type { ShellCommand, ShellWord } from './shellCommand.js';
import { findPlaces, isMove, staysInside, type WordPlaces } from './wordPlaces.js';

/** What a rule says: these words, and with `isPrefix` further ones that are no options and stay inside of the folder. */
export interface CommandPattern {
  /** As {@link canonical} writes them; one alone for a part of a line that a rule means only as it stands. */
  readonly words: readonly string[];
  readonly isPrefix: boolean;
}

export interface CommandVerdict {
  /** Every part is allowed. */
  readonly isAllowed: boolean;
  /** Every part only reads, inside of the folder: that needs no rule. */
  readonly isReading: boolean;
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

const unknown: CommandVerdict = { isAllowed: false, isReading: false, parts: [] };

/** What has to be known about a line before it is judged. @param folder in which it would run */
export async function findLinePlaces(line: string, folder: string): Promise<WordPlaces> {
  return await findPlaces((readCommands(line) ?? []).map(unwrap), folder);
}

/** What has to be known before the line runs without a rule. @param path value of PATH that the shell gets */
export async function findLineReading(
  line: string,
  folder: string,
  path: string,
): Promise<ReadingPlaces> {
  return await findReadingPlaces(readCommands(line) ?? [], folder, path);
}

/** What would read a file that the line is known to write, and start what it says. */
export async function startedByLine(line: string, folder: string): Promise<StartKind | undefined> {
  return await startedByWrites(line, readCommands(line)?.map(unwrap), folder);
}

/**
 * @param places of this line
 * @param reading of this line; by default every part of it needs a rule
 */
export function judgeCommand(
  line: string,
  rules: readonly RuleView[],
  places: WordPlaces,
  reading: ReadingPlaces = noReadingPlaces,
): CommandVerdict {
  const commands = readCommands(line);
  if (!commands) {
    return unknown;
  }
  const known = rules.flatMap((rule) =>
    rule.subject.kind === 'command' ? [{ key: keyOf(rule.subject), rule }] : [],
  );
  const parts = partsOf(line, commands, places, reading).map((part) => {
    const keys = [part.narrow, part.wide].map((pattern) => pattern && keyOf(pattern));
    const found = part.isRulable ? known.find(({ key }) => keys.includes(key)) : undefined;
    return { ...part, rule: found?.rule };
  });
  const missing = parts.filter(({ rule, reads }) => rule === undefined && !reads);
  const isOffered = missing.length > 0 && missing.every(({ isRulable }) => isRulable);
  const isWider = missing.some(({ wide }) => wide);
  return {
    isAllowed: missing.length === 0,
    isReading: parts.every(({ reads }) => reads),
    parts: parts.map(({ text, rule, reads }) => ({ text, rule, reads: reads || undefined })),
    offer: isOffered ? unique(missing.map(({ narrow }) => narrow)) : undefined,
    wide:
      isOffered && isWider ? unique(missing.map(({ narrow, wide }) => wide ?? narrow)) : undefined,
  };
}

/** What one rule can mean. */
interface LinePart {
  /** As written. */
  readonly text: string;
  readonly isRulable: boolean;
  readonly narrow: CommandPattern;
  /** Absent where more is not known to be the same thing to do. */
  readonly wide?: CommandPattern | undefined;
  /** It only reads, inside of the folder. */
  readonly reads: boolean;
}

/** A part is a command, unless what it does hangs on the rest of the line: then it is all that it hangs on. */
function partsOf(
  line: string,
  wrapped: readonly ShellCommand[],
  places: WordPlaces,
  reading: ReadingPlaces,
): readonly LinePart[] {
  const commands = wrapped.map(unwrap);
  if (commands.length > 1 && leavesFolder(commands, places)) {
    return [whole(line.trim(), commands)];
  }
  const unclear = new Set(
    commands.filter((one) => one.isFed && !isFilter(one)).map(({ pipeline }) => pipeline),
  );
  const isInside = (word: ShellWord, isFile = false) => leadsInside(word, places, isFile);
  const reads = commands.map(
    (command, at) => command === wrapped[at] && onlyReads(command, reading, isInside),
  );
  const keeps = commands.map((command, at) => reads[at] === true || keepsLinks(command));
  // elsewhere another repository answers, and what a part adds to this one may start something
  const keepsRepository = commands.map((command, at) => reads[at] === true && !isMove(command));
  return commands.flatMap((command, at) => {
    const { text, pipeline } = command;
    if (unclear.has(pipeline)) {
      const joined = commands.filter((one) => one.pipeline === pipeline);
      return joined[0] === command ? [whole(pipeline.text, joined)] : [];
    }
    const hasKnownLinks = isKeptUntil(commands, keeps, at);
    const isSame =
      command.words[0]?.value === 'git'
        ? isKeptUntil(commands, keepsRepository, at)
        : hasKnownLinks;
    return [
      {
        text,
        isRulable: isRulable(command),
        narrow: { words: wordsOf(command), isPrefix: false },
        wide: widen(command, places, hasKnownLinks),
        reads: isSame && reads[at] === true,
      },
    ];
  });
}

/**
 * Whether nothing that may have run by then could have changed what is kept, such as where links lead.
 * @param keeps which of the commands change nothing of it
 * @param at of one of those
 */
function isKeptUntil(
  commands: readonly ShellCommand[],
  keeps: readonly boolean[],
  at: number,
): boolean {
  const overlaps = commands[at]?.pipeline.overlaps === true;
  return keeps.every((isKept, other) => isKept || !(overlaps || other < at));
}

function whole(text: string, commands: readonly ShellCommand[]): LinePart {
  return {
    text,
    isRulable: commands.every(isRulable),
    narrow: { words: [text], isPrefix: false },
    reads: false,
  };
}

function keyOf({ words, isPrefix }: CommandPattern): string {
  return JSON.stringify([isPrefix, words]);
}

/** Why a line is asked about. */
export function whyAsked({ parts }: CommandVerdict): CallReason {
  const missing = parts.filter(({ rule, reads }) => !rule && !reads);
  return parts.length === 0
    ? { kind: 'unclear' }
    : { kind: 'parts', missing: missing.map(({ text }) => showHidden(text)) };
}

export function commandRulesView({ parts, offer, wide }: CommandVerdict): CommandRulesView {
  return {
    parts: parts.map((part) => ({ ...part, text: showHidden(part.text) })),
    offer: offer?.map(patternText),
    wide: wide?.map(patternText),
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

/** As it stands where more than the program is started: then all of it has to be the same. */
function wordsOf({ words, text, isPlain }: ShellCommand): readonly string[] {
  return isPlain ? words.map(canonical) : [text];
}

/** What later words of the line are relative to is not the folder any more, as far as is known. */
function leavesFolder(commands: readonly ShellCommand[], places: WordPlaces): boolean {
  return commands.some((command, at) => {
    const [, to, ...others] = command.words;
    return (
      isMove(command) &&
      (!command.isPlain ||
        !to?.isNoOption ||
        !staysInside(to) ||
        others.length > 0 ||
        (places.get(to.raw) ?? 'outside') === 'outside' ||
        !isKeptUntil(commands, commands.map(keepsLinks), at))
    );
  });
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

/** The command with other operands, where that is still one thing to do. */
function widen(
  command: ShellCommand,
  places: WordPlaces,
  hasKnownLinks: boolean,
): CommandPattern | undefined {
  const { grammar, kept, operands, opened } = findGrammar(command) ?? {};
  if (!grammar?.isWide || !kept || !command.isPlain || (opened?.length && !hasKnownLinks)) {
    return undefined;
  }
  const isSame = operands?.every(
    (word) =>
      word.isNoOption &&
      !/^[\w.-]+=/.test(word.value ?? word.raw) &&
      grammar.operand.test(word.value ?? word.raw) &&
      leadsInside(word, places, grammar.isOfFiles),
  );
  return isSame ? { words: kept.map(canonical), isPrefix: true } : undefined;
}

function leadsInside(word: ShellWord, places: WordPlaces, isFile: boolean): boolean {
  const place = places.get(word.raw) ?? 'outside';
  return staysInside(word) && place !== 'outside' && !(place === 'folder' && isFile);
}

function nameOf(program: ShellWord | undefined): string {
  return (program?.value ?? '').split('/').at(-1) ?? '';
}
