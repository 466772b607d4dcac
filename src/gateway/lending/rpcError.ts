import { isHumanError, messageWithRemedy } from '../../base/errors.js';
import { rpcCode } from '../../base/jsonRpc.js';
import { isEngineError } from '../../mcp/connection/session/engine.js';

/** An error as it goes over the wire. */
export class RpcError extends Error {
  override readonly name = 'RpcError';

  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

export function invalidParams(message: string): RpcError {
  return new RpcError(rpcCode.invalidParams, message);
}

/** The error that the server itself answered with. */
export function answeredError(error: unknown): RpcError | undefined {
  const cause = error instanceof Error ? error.cause : undefined;
  const answered = [error, cause].find((one) => isEngineError(one) && one.kind === 'server_error');
  return isEngineError(answered)
    ? new RpcError(answered.code ?? rpcCode.internalError, answered.message, answered.data)
    : undefined;
}

/** What the server itself answered goes on as it is; everything else says why it could not be asked. */
export function toRpcError(error: unknown): unknown {
  return (
    answeredError(error) ??
    (isHumanError(error)
      ? new RpcError(rpcCode.internalError, messageWithRemedy(error), { code: error.code })
      : error)
  );
}
