/** What the user has typed to be run. */
export interface CommandLine {
  /** Trimmed; empty until it is typed. */
  readonly command: string;
  /** The model does not get it. */
  readonly isPrivate: boolean;
}

/** Of `!line` or `!!line`; with anything before the mark, also a blank, the text is a message. */
export function readCommandLine(text: string): CommandLine | undefined {
  const [, mark, line = ''] = /^(!!?)([\s\S]*)$/.exec(text) ?? [];
  return mark === undefined ? undefined : { command: line.trim(), isPrivate: mark === '!!' };
}

/** The text of a message, or of somebody else, which nobody typed to be run. */
export function asMessage(text: string): string {
  return text.startsWith('!') ? ` ${text}` : text;
}
