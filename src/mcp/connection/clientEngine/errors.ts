import {
  InsufficientScopeError,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SseError,
} from '@modelcontextprotocol/client';
import * as l10n from '@vscode/l10n';
import { errorMessage, isHumanError } from '../../../base/errors.js';
import { SessionLostError, StreamDroppedError } from '../http/httpWatch.js';
import {
  isCertificateCode,
  isForeignSpeech,
  isSilence,
  isUnreachable,
  networkErrorCode,
} from '../http/networkErrors.js';
import { EngineError, serverError } from '../session/engine.js';

const forbidden = 403;

/** An authorization that failed. The SDK hands on errors of this name as they are, even while it negotiates. */
export class AuthorizationFailedError extends Error {
  override readonly name = 'UnauthorizedError';
}

/** The SDK's errors in the form that the rest of the domain knows; others as they are. */
export function fromSdk(error: unknown): unknown {
  if (error instanceof AuthorizationFailedError) {
    return error.cause;
  }
  if (error instanceof InsufficientScopeError) {
    return httpError(forbidden, error);
  }
  if (error instanceof SdkHttpError) {
    return httpError(error.status, error);
  }
  if (error instanceof SseError && error.code !== undefined && error.code >= 300) {
    return httpError(error.code, error);
  }
  if (error instanceof ProtocolError) {
    return serverError(error.code, error.message, { data: error.data, cause: error });
  }
  return error instanceof SdkError ? fromSdkError(error) : error;
}

function fromSdkError(error: SdkError): unknown {
  switch (error.code) {
    case SdkErrorCode.RequestTimeout:
      return new EngineError('request_timeout', error.message, { cause: error });
    case SdkErrorCode.ConnectionClosed:
    case SdkErrorCode.NotConnected:
      return new EngineError('closed', error.message, { cause: error });
    default: {
      const { cause } = error;
      // a failed probe wraps what the network said
      return cause instanceof Error && cause !== error ? fromSdk(cause) : error;
    }
  }
}

/** As {@link fromSdk}, with what `fetch` throws, and what is seen in the traffic with a remote server. */
export function fromRemote(error: unknown): unknown {
  const known = fromSdk(error);
  if (known instanceof EngineError || isHumanError(known)) {
    return known;
  }
  return fromSession(known) ?? fromPost(known) ?? fromNetwork(known) ?? fromAnswer(known) ?? known;
}

/**
 * As {@link fromRemote}, for the transport with one stream for all answers: of what `fetch` throws it keeps the words alone.
 * @param thrown what `fetch` threw when the stream was opened last, if it did
 */
export function fromEventStream(error: unknown, thrown: unknown): unknown {
  const isBare = error instanceof SseError && error.code === undefined;
  return fromRemote(isBare && thrown !== undefined ? thrown : error);
}

function fromSession(error: unknown): EngineError | undefined {
  if (error instanceof SessionLostError) {
    const { message, status: httpStatus } = error;
    return new EngineError('session_lost', message, { httpStatus, cause: error });
  }
  return error instanceof StreamDroppedError
    ? new EngineError(error.isSilent ? 'stream_silent' : 'stream_dropped', error.message, {
        cause: error,
      })
    : undefined;
}

/** The transport with a stream for all answers has no other form for the status of a POST. */
function fromPost(error: unknown): EngineError | undefined {
  const [, status] = /^Error POSTing to endpoint \(HTTP (\d{3})\)/.exec(errorMessage(error)) ?? [];
  return status === undefined ? undefined : httpError(Number(status), error);
}

function fromNetwork(error: unknown): EngineError | undefined {
  const systemCode = networkErrorCode(error);
  const failed = (kind: 'certificate' | 'silent' | 'unreachable' | 'not_http') =>
    new EngineError(kind, errorMessage(error), { systemCode, cause: error });
  if (isCertificateCode(systemCode)) {
    return failed('certificate');
  }
  if (isSilence(error)) {
    return failed('silent');
  }
  if (isForeignSpeech(error)) {
    return failed('not_http');
  }
  return isUnreachable(error) || error instanceof TypeError ? failed('unreachable') : undefined;
}

/** What came over HTTP is nothing that the protocol knows. */
function fromAnswer(error: unknown): EngineError | undefined {
  const isMeant =
    error instanceof SyntaxError ||
    isWithoutEvents(error) ||
    isUnexpectedContent(error) ||
    (error instanceof Error && /ZodError$/.test(error.name));
  return isMeant ? new EngineError('not_mcp', describeAnswer(error), { cause: error }) : undefined;
}

function isUnexpectedContent(error: unknown): boolean {
  return error instanceof SdkError && error.code === SdkErrorCode.ClientHttpUnexpectedContent;
}

/** The stream ended before its first event, or is none. */
function isWithoutEvents(error: unknown): boolean {
  return (
    error instanceof SseError && (error.code !== undefined || / undefined$/.test(error.message))
  );
}

/** The end of a sentence: what came instead. */
function describeAnswer(error: unknown): string {
  const [, type] = /^Unexpected content type: (\S+)/.exec(errorMessage(error)) ?? [];
  return type === undefined || type === 'null' || !isUnexpectedContent(error)
    ? l10n.t('what it sends is no message of the protocol')
    : l10n.t('it sends {0}', type);
}

function httpError(httpStatus: number | undefined, cause: unknown): EngineError {
  const message = errorMessage(cause);
  if (httpStatus !== undefined && httpStatus >= 300 && httpStatus < 400) {
    const [text] =
      /Redirect to \S+ not followed|Redirect from https to plain http not followed/.exec(message) ??
      [];
    const sentence = text ?? message;
    return new EngineError('redirected', sentence, { httpStatus, cause });
  }
  return new EngineError('http_status', message, { httpStatus, cause });
}
