import type { ErrorCode } from './errorCodes.js';

/** What an error is about, for whoever offers a way out of it. */
export interface ErrorFacts {
  readonly variable?: string | undefined;
  /** Of the entry in its file, from 1. */
  readonly line?: number | undefined;
  readonly command?: string | undefined;
  /** Where a login shell finds the command. */
  readonly foundAt?: string | undefined;
  /** For how long was waited. */
  readonly seconds?: number | undefined;
  /** The time was for a package that is downloaded. */
  readonly isInstall?: boolean | undefined;
  /** The server was asked how to sign in, and says nothing. */
  readonly hasNoSignIn?: boolean | undefined;
  readonly port?: string | undefined;
  readonly url?: string | undefined;
  /** Such as `ENOTFOUND`. */
  readonly systemCode?: string | undefined;
  /** Offset in the text that was read. */
  readonly at?: number | undefined;
}

const brand: unique symbol = Symbol.for('piMcp.HumanError');

/** An error whose message is a full sentence for the user. */
export class HumanError extends Error {
  override readonly name: string = 'HumanError';
  readonly [brand] = true;
  /** Stable, for programs and tests. */
  readonly code: ErrorCode;
  /** One sentence that says what to do next. */
  readonly remedy: string | undefined;
  /** Milliseconds after which the same may succeed. `undefined`: nothing is known about that. */
  readonly retryAfterMs: number | undefined;
  readonly facts: ErrorFacts | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: {
      readonly remedy?: string;
      readonly cause?: unknown;
      readonly retryAfterMs?: number;
      readonly facts?: ErrorFacts | undefined;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.remedy = options.remedy;
    this.retryAfterMs = options.retryAfterMs;
    this.facts = options.facts;
  }
}

/** By brand, since every bundle that is loaded on its own has a class of its own. */
export function isHumanError(error: unknown): error is HumanError {
  return error instanceof Error && brand in error;
}

/** The message of anything that was thrown. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The message of anything that was thrown, and what can be done about it. */
export function messageWithRemedy(error: unknown): string {
  return withRemedy(errorMessage(error), isHumanError(error) ? error.remedy : undefined);
}

/** What is wrong and what can be done about it, as sentences: a message that ends with a name gets its full stop. */
export function withRemedy(message: string, remedy: string | undefined): string {
  const isWhole = /[.!?…:]["”“)]*$/.test(message);
  return remedy ? `${message}${isWhole ? '' : '.'} ${remedy}` : message;
}

/** Of what nobody meant to throw, for a log: where it came from, too. */
export function stackText(error: unknown): string {
  return (error instanceof Error && error.stack) || errorMessage(error);
}

/** The message of anything that was thrown, for a line of a log. */
export function briefly(error: unknown): string {
  return errorMessage(error).slice(0, 300);
}

/** The `code` of a Node system error such as `ENOENT`, if it has one. */
export function errorCode(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : undefined;
}

/** For `catch`. @throws what says anything else than that there is no such file */
export function ignoreMissing(error: unknown): undefined {
  if (errorCode(error) !== 'ENOENT') {
    throw error;
  }
}
