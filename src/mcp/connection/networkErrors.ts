import { errorCode } from '../../base/errors.js';

const unreachableCodes = new Set([
  'ECONNREFUSED',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
]);

const silenceCodes = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);

/** `fetch` itself gave up, since nothing came from the server for minutes. */
export function isSilence(error: unknown): boolean {
  return silenceCodes.has(networkErrorCode(error) ?? '');
}

/** The system error code behind a failed `fetch`, which hides it in its causes. */
export function networkErrorCode(error: unknown): string | undefined {
  for (let current = error, depth = 0; current instanceof Error && depth < 5; depth++) {
    const code =
      errorCode(current) ??
      (current instanceof AggregateError
        ? current.errors.map(errorCode).find((item) => item !== undefined)
        : undefined);
    if (code !== undefined) {
      return code;
    }
    current = current.cause;
  }
  return undefined;
}

/** Nobody listens there: the request was not delivered. */
export function isUnreachable(error: unknown): boolean {
  return unreachableCodes.has(networkErrorCode(error) ?? '');
}

/** TLS refused the server's certificate. */
export function isCertificateError(error: unknown): boolean {
  return /^(?:CERT_|ERR_TLS_CERT|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/.test(
    networkErrorCode(error) ?? '',
  );
}
