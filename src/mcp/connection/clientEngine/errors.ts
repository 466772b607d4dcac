import {
  InsufficientScopeError,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SseError,
} from '@modelcontextprotocol/client';
import { isHumanError } from '../../../base/errors.js';
import { rpcCode } from '../../../base/jsonRpc.js';
import { EngineError } from '../session/engine.js';

const forbidden = 403;

/** An authorization that failed. The SDK hands on errors of this name as they are, even while it negotiates. */
export class AuthorizationFailedError extends Error {
  override readonly name = 'UnauthorizedError';
}

/** The SDK's errors in the form that the rest of the domain knows; others as they are. */
export function toEngineError(error: unknown): unknown {
  if (error instanceof AuthorizationFailedError) {
    return error.cause;
  }
  if (error instanceof InsufficientScopeError) {
    return new EngineError(forbidden, error.message, { cause: error });
  }
  if (isHumanError(error)) {
    return error;
  }
  if (error instanceof SdkHttpError) {
    return new EngineError(error.status, error.message, { cause: error });
  }
  if (error instanceof SseError && error.code !== undefined) {
    return new EngineError(error.code, error.message, { cause: error });
  }
  if (error instanceof ProtocolError) {
    return new EngineError(error.code, error.message, { data: error.data, cause: error });
  }
  if (error instanceof SdkError) {
    return fromSdkError(error);
  }
  return error;
}

function fromSdkError(error: SdkError): unknown {
  switch (error.code) {
    case SdkErrorCode.RequestTimeout:
      return new EngineError(rpcCode.requestTimeout, 'Request timed out', { cause: error });
    case SdkErrorCode.ConnectionClosed:
    case SdkErrorCode.NotConnected:
      return new EngineError(rpcCode.connectionClosed, 'Connection closed', { cause: error });
    default: {
      const { cause } = error;
      // a failed probe wraps what the network said
      return cause instanceof Error && cause !== error ? toEngineError(cause) : error;
    }
  }
}

/** HTTP status of an error from connecting; undefined when it has none. */
export function httpStatusOf(error: unknown): number | undefined {
  const { code } = error instanceof EngineError ? error : { code: undefined };
  return code !== undefined && code >= 300 && code < 600 ? code : undefined;
}
