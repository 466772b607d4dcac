/** What a route refuses, in the form in which pi-forge does. */
import { isHumanError } from '../../base/errors.js';
import { maskText } from '../../config/secrets/secretMask.js';
import { errorStatus, type RestErrorCode } from './restRoutes.js';

export interface RestAnswer {
  readonly status: number;
  readonly document: unknown;
}

export class RestError extends Error {
  override readonly name = 'RestError';

  constructor(
    readonly code: RestErrorCode,
    message: string,
    readonly remedy?: string,
  ) {
    super(message);
  }

  get answer(): RestAnswer {
    return refusal(errorStatus[this.code], this.code, this.message, this.remedy);
  }
}

export function refusal(
  status: number,
  error: string,
  message: string,
  remedy?: string,
): RestAnswer {
  const document = {
    error,
    message: maskText(message),
    remedy: remedy === undefined ? undefined : maskText(remedy),
  };
  return { status, document };
}

/** Runs the task; what it has to say to people becomes an answer with this code. */
export async function refusedAs<T>(code: RestErrorCode, task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (error) {
    throw isHumanError(error) ? new RestError(code, error.message, error.remedy) : error;
  }
}
