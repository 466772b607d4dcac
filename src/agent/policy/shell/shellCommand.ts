/** What a line starts, as far as it is read. */

export interface ShellWord {
  /** As written. */
  readonly raw: string;
  /** What the shell makes of it; `undefined` when that is only known when it runs. */
  readonly value: string | undefined;
  /** Whatever it becomes, the shell makes no option of it. */
  readonly isNoOption: boolean;
}

/** Commands of a line that pipes join, with all that they start in parentheses and `$(…)`. */
export interface ShellPipeline {
  /** As written. */
  text: string;
  /** The line goes on while a part of it still runs, be it this one or another. */
  overlaps: boolean;
}

/** One command of a line, without what joins it to others. */
export interface ShellCommand {
  /** As written. */
  readonly text: string;
  /** The program first. Variables that are set before it, and redirections, are none. */
  readonly words: readonly ShellWord[];
  /** It only starts its program: sets no variables, writes and reads no file, starts no other command. */
  readonly isPlain: boolean;
  /** Files that redirections write. */
  readonly targets: readonly ShellWord[];
  /** It can read what another command of the line writes. */
  readonly isFed: boolean;
  /** The one that is part of no other. */
  readonly pipeline: ShellPipeline;
}
