/**
 * The commands that a line makes a POSIX shell start. Reads a small part of the language and guesses nothing: for
 * everything else there is no answer, so that the user is asked. A parser that makes the best of any text, as those for
 * editors do, would be the wrong one here.
 */
import type { ShellCommand, ShellPipeline, ShellWord } from './shellCommand.js';

/** Characters of a line. */
const maxLength = 10_000;
const maxDepth = 8;

/** @returns `undefined` when any part of the line is not understood; those of `$(…)` are among the commands. */
export function readCommands(line: string): readonly ShellCommand[] | undefined {
  // what cannot be seen, or is a blank for some shells alone; a line that goes on in the middle of a word
  if (line.length > maxLength || /[^\P{C}\t\n]|[^\P{Z} ]|(?:^|[^ \t])\\\n/u.test(line)) {
    return undefined;
  }
  try {
    const reader = new Reader(line);
    reader.readList(0);
    for (const { pipeline } of reader.hasBackground ? reader.commands : []) {
      pipeline.overlaps = true;
    }
    return reader.commands.length > 0 ? reader.commands : undefined;
  } catch (error) {
    if (error instanceof NotUnderstood) {
      return undefined;
    }
    throw error;
  }
}

class NotUnderstood extends Error {}

/** Before the program it sets a variable. */
const assignment = /^[A-Za-z_]\w*(?:\[[^=]*\])?\+?=/;

/** At the beginning of a command they are no programs. */
const reserved: ReadonlySet<string> = new Set(
  '! [[ ]] { } case coproc do done elif else esac fi for function if in select then until while'.split(
    ' ',
  ),
);

class Reader {
  readonly commands: ShellCommand[] = [];
  /** `&` stands behind a part. */
  hasBackground = false;
  private at = 0;
  /** Where the latest command or group ends. */
  private end = 0;
  /** What is being read has the input of a pipe. */
  private isFed = false;
  /** The outermost one that is being read. */
  private pipeline: ShellPipeline | undefined;

  constructor(private readonly line: string) {}

  /** Up to the end of the line, or to the parenthesis that ends a list inside of it. */
  readList(depth: number): void {
    if (depth > maxDepth) {
      throw new NotUnderstood();
    }
    this.skipLines();
    while (!this.isAtEnd(depth)) {
      this.readPipelines(depth);
      if (!this.isAtEnd(depth)) {
        this.readSeparator();
      }
      this.skipLines();
    }
  }

  private readSeparator(): void {
    const separator = this.line[this.at++] ?? '';
    if (!/[\n;&]/.test(separator)) {
      throw new NotUnderstood();
    }
    this.hasBackground ||= separator === '&';
  }

  private isAtEnd(depth: number): boolean {
    const next = this.line[this.at];
    if (next === ')' ? depth === 0 : next === undefined && depth > 0) {
      throw new NotUnderstood();
    }
    return next === undefined || next === ')';
  }

  /** Those that `&&` and `||` join. */
  private readPipelines(depth: number): void {
    do {
      const start = this.at;
      const isOutermost = this.pipeline === undefined;
      const pipeline = this.pipeline ?? { text: '', overlaps: false };
      this.pipeline = pipeline;
      const { isFed } = this;
      do {
        this.readStage(depth);
        this.isFed = true;
      } while (this.takeOperator(/^\|&?(?!\|)/));
      this.isFed = isFed;
      if (isOutermost) {
        pipeline.text = this.line.slice(start, this.end).trim();
        this.pipeline = undefined;
      }
    } while (this.takeOperator(/^(?:&&|\|\|)/));
  }

  private readStage(depth: number): void {
    if (this.line[this.at] === '(') {
      this.readGroup(depth);
    } else {
      this.readCommand(depth);
    }
  }

  /** With the lines up to what it joins. */
  private takeOperator(operator: RegExp): boolean {
    const [found] = operator.exec(this.line.slice(this.at, this.at + 3)) ?? [];
    if (found === undefined) {
      return false;
    }
    this.at += found.length;
    this.skipLines();
    return true;
  }

  /** What follows a group may only end it. */
  private readGroup(depth: number): void {
    this.at++;
    if (this.line[this.at] === '(') {
      throw new NotUnderstood();
    }
    const before = this.commands.length;
    this.readList(depth + 1);
    if (this.commands.length === before) {
      throw new NotUnderstood();
    }
    this.end = ++this.at;
    this.skip(/[ \t]/);
    const next = this.line[this.at];
    if (next === '#') {
      this.skipComment();
    } else if (next !== undefined && !/[\n;&|)]/.test(next)) {
      throw new NotUnderstood();
    }
    this.refuseAmpersandRedirection();
  }

  private readCommand(depth: number): void {
    const start = this.at;
    const words: ShellWord[] = [];
    const targets: ShellWord[] = [];
    const before = this.commands.length;
    let isPlain = true;
    let end = start;
    for (;;) {
      end = this.at;
      this.skip(/[ \t]/);
      const next = this.line[this.at];
      if (next === undefined || /[\n;&|)]/.test(next)) {
        break;
      }
      if (next === '(') {
        throw new NotUnderstood();
      }
      if (next === '<' || next === '>') {
        isPlain = this.readRedirection(depth, targets) && isPlain;
        continue;
      }
      if (next === '#') {
        this.skipComment();
        break;
      }
      const word = this.readWord(depth);
      const isJoined = /[<>]/.test(this.line[this.at] ?? '');
      if (isJoined && word.raw.endsWith('}')) {
        // a variable that takes the number of the file, for some shells
        throw new NotUnderstood();
      }
      if (isJoined && /^\d+$/.test(word.raw)) {
        isPlain = this.readRedirection(depth, targets) && isPlain;
      } else if (words.length === 0 && assignment.test(word.raw)) {
        isPlain = false;
      } else {
        words.push(word);
      }
    }
    this.refuseAmpersandRedirection();
    const [program, second] = words;
    const isTimed = program?.raw === 'time';
    // what follows `time` is read like the beginning of a command
    const isOther = isTimed && (!second || second.raw === 'time' || assignment.test(second.raw));
    const isReserved = reserved.has((isTimed ? second : program)?.raw ?? '');
    if (!program?.value || isOther || isReserved || !this.pipeline) {
      throw new NotUnderstood();
    }
    this.end = end;
    const text = this.line.slice(start, end).trim();
    const startsOthers = this.commands.length > before;
    const { isFed, pipeline } = this;
    // before those of its `$(…)`, in the order in which they are read
    this.commands.splice(before, 0, {
      text,
      words,
      isPlain: isPlain && !startsOthers,
      targets,
      isFed,
      pipeline,
    });
  }

  /** `&>` writes a file for some shells, and ends a command for others. */
  private refuseAmpersandRedirection(): void {
    if (this.line[this.at] === '&' && this.line[this.at + 1] === '>') {
      throw new NotUnderstood();
    }
  }

  /** @returns whether it touches no file. */
  private readRedirection(depth: number, targets: ShellWord[]): boolean {
    const rest = this.line.slice(this.at, this.at + 3);
    // here-documents, here-strings and commands as files
    if (rest.startsWith('<<') || rest[1] === '(') {
      throw new NotUnderstood();
    }
    const operator = /^(?:>>|>\||>&|<&|<>|>|<)/.exec(rest)?.[0] ?? '';
    this.at += operator.length;
    this.skip(/[ \t]/);
    const next = this.line[this.at];
    if (next === undefined || /[\n;&|()<>#]/.test(next)) {
      throw new NotUnderstood();
    }
    const target = this.readWord(depth);
    const isHarmless = operator.endsWith('&')
      ? /^(?:\d|-)$/.test(target.raw)
      : target.raw === '/dev/null';
    if (!isHarmless && operator.includes('>')) {
      targets.push(target);
    }
    return isHarmless;
  }

  private readWord(depth: number): ShellWord {
    const start = this.at;
    let value: string | undefined = '';
    let isNoOption = false;
    const add = (text: string | undefined) => {
      // an option begins with the first character that there is
      isNoOption ||= value === '' && text !== undefined && text !== '' && !/^[-+]/.test(text);
      value = value === undefined || text === undefined ? undefined : value + text;
    };
    for (;;) {
      const next = this.line[this.at];
      if (next === undefined || /[ \t\n;&|()<>]/.test(next)) {
        break;
      }
      if (next === '(') {
        throw new NotUnderstood();
      }
      if (next === "'") {
        add(this.readQuoted());
      } else if (next === '"') {
        this.readDoubleQuoted(depth, add);
      } else if (next === '\\') {
        const escaped = this.line[this.at + 1];
        if (escaped === undefined) {
          throw new NotUnderstood();
        }
        add(escaped === '\n' ? '' : escaped);
        this.at += 2;
      } else if (next === '$') {
        add(this.readDollar(depth, /["']/));
      } else if (next === '`') {
        throw new NotUnderstood();
      } else if (/[*?[\]{}]/.test(next) || this.isHome(start)) {
        // a home folder is no option; other patterns become what they find
        isNoOption ||= next === '~' && this.at === start;
        value = undefined;
        this.at++;
      } else {
        add(next);
        this.at++;
      }
    }
    return { raw: this.line.slice(start, this.at), value, isNoOption };
  }

  /** Also behind what could name it. */
  private isHome(start: number): boolean {
    return (
      this.line[this.at] === '~' && (this.at === start || /[=:]/.test(this.line[this.at - 1] ?? ''))
    );
  }

  private readQuoted(): string {
    const end = this.line.indexOf("'", this.at + 1);
    if (end === -1) {
      throw new NotUnderstood();
    }
    const text = this.line.slice(this.at + 1, end);
    this.at = end + 1;
    return text;
  }

  private readDoubleQuoted(depth: number, add: (text: string | undefined) => void): void {
    this.at++;
    for (;;) {
      const next = this.line[this.at];
      if (next === undefined || next === '`') {
        throw new NotUnderstood();
      }
      if (next === '"') {
        this.at++;
        return;
      }
      if (next === '$') {
        add(this.readDollar(depth, undefined));
      } else if (next === '\\') {
        const escaped = this.line[this.at + 1] ?? '';
        add(escaped === '\n' ? '' : /["\\$`]/.test(escaped) ? escaped : `\\${escaped}`);
        this.at += 2;
      } else {
        add(next);
        this.at++;
      }
    }
  }

  /** @param refused what may not follow: other kinds of quotes. @returns `undefined`: known only when it runs */
  private readDollar(depth: number, refused: RegExp | undefined): string | undefined {
    const rest = this.line.slice(this.at + 1);
    if (rest.startsWith('((') || rest.startsWith('[') || refused?.test(rest[0] ?? '')) {
      throw new NotUnderstood();
    }
    if (rest.startsWith('(')) {
      this.at += 2;
      this.readList(depth + 1);
      this.at++;
      return undefined;
    }
    if (rest.startsWith('{')) {
      const [name] = /^\{[A-Za-z_]\w*\}/.exec(rest) ?? [];
      if (name === undefined) {
        throw new NotUnderstood();
      }
      this.at += 1 + name.length;
      return undefined;
    }
    const [name] = /^(?:[A-Za-z_]\w*|[0-9?$!#@*-])/.exec(rest) ?? [];
    this.at += 1 + (name?.length ?? 0);
    return name === undefined ? '$' : undefined;
  }

  private skipComment(): void {
    const end = this.line.indexOf('\n', this.at);
    this.at = end === -1 ? this.line.length : end;
  }

  /** Blanks, ends of lines and comments. */
  private skipLines(): void {
    this.skip(/[ \t\n]/);
    while (this.line[this.at] === '#') {
      this.skipComment();
      this.skip(/[ \t\n]/);
    }
  }

  /** A line that goes on is one. */
  private skip(what: RegExp): void {
    for (;;) {
      const next = this.line[this.at];
      if (next === '\\' && this.line[this.at + 1] === '\n') {
        this.at += 2;
      } else if (next !== undefined && what.test(next)) {
        this.at++;
      } else {
        return;
      }
    }
  }
}
