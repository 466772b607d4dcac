import type { Duplex } from 'node:stream';
import { oneLine } from '../base/text/plainText.js';

/** What the CLI needs of its process. */
export interface CliIo {
  readonly writeOut: (text: string) => void;
  readonly writeError: (text: string) => void;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute. */
  readonly cwd: string;
  /** A person reads what is written and can answer. */
  readonly isTerminal: boolean;
  /** Never throws. */
  readonly openBrowser: (url: URL) => void;
  /**
   * A line that a person types; `undefined` for nothing.
   * @param options.takesBlank an empty line is one too. Default: it says nothing.
   */
  readonly readLine: (
    signal: AbortSignal,
    options?: { readonly takesBlank: boolean },
  ) => Promise<string | undefined>;
  /** Resolves when there is nothing more to read from the standard input, or the signal aborts. Never rejects. */
  readonly whenInputEnds: (signal: AbortSignal) => Promise<void>;
  /** Standard input and output as one, for a client that speaks with us there. */
  readonly stdio: () => Duplex;
  /** Ends the run. */
  readonly signal: AbortSignal;
}

export const exitCodes = { ok: 0, failed: 1, usage: 2 } as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export const noServers = 'No servers are configured.';

/** What a command found. */
export interface CliResult {
  /** The document for `--json`. */
  readonly document: unknown;
  /** The same for people. */
  readonly text: string;
  readonly status: ExitCode;
}

/** @param lines for people, each of which stays one line of the terminal */
export function resultOf(
  document: unknown,
  lines: readonly string[],
  status: ExitCode = exitCodes.ok,
): CliResult {
  return { document, text: lines.map((line) => `${oneLine(line)}\n`).join(''), status };
}
