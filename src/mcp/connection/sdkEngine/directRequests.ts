import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { isJsonObject, type JsonObject } from '../../../base/json.js';
import type { McpProgress } from '../../mcpTypes.js';
import { parseProgress } from '../reading/parseItems.js';
import { limitRequest } from '../session/boundedRequest.js';
import type { RequestOptions } from '../session/engine.js';
import { type RequestId, repairResponse } from '../session/repairResponse.js';

/** The SDK counts its own requests from 0. */
const firstId = 1_000_000_000;

interface DirectRequest {
  readonly settle: (response: JsonObject) => void;
  readonly reject: (error: Error) => void;
  readonly progress: (progress: McpProgress) => void;
}

/**
 * Requests over a wire that the SDK's client has opened, past that client: its checks of what the wire has checked
 * already, its signal and its timer cost more than everything else that a call needs.
 */
export class DirectRequests {
  private readonly requests = new Map<RequestId, DirectRequest>();
  private nextId = firstId;

  /** @param send rejects when the wire is down. */
  constructor(private readonly send: (message: JsonObject) => Promise<void>) {}

  /**
   * Rejects with an {@link McpError} of the server, of the closed connection or of the time-out, or with the reason of
   * the caller's signal; the server is told of the last two.
   */
  request(
    method: string,
    params: JsonObject | undefined,
    options: RequestOptions,
    isWaitingForUser: () => boolean,
  ): Promise<JsonObject> {
    const id = this.nextId++;
    return new Promise((resolve, reject) => {
      const end = () => {
        limits.dispose();
        return this.requests.delete(id);
      };
      const cancel = (reason: unknown) => {
        end();
        reject(reason);
        this.announceCancellation(id, reason);
      };
      const limits = limitRequest(options, { createTimeout, isWaitingForUser, onEnd: cancel });
      this.requests.set(id, {
        settle: (response) => {
          end();
          settle(repairResponse(id, response), resolve, reject);
        },
        reject: (error) => {
          end();
          reject(error);
        },
        progress: (progress) => {
          limits.touch();
          options.onProgress?.(progress);
        },
      });
      const sent = { method, ...withToken(params, id), jsonrpc: '2.0', id };
      this.send(sent).catch((error) => this.requests.get(id)?.reject(error));
    });
  }

  /** @returns false when the message is somebody else's. */
  receive(message: JsonObject): boolean {
    if ('method' in message) {
      return message.method === 'notifications/progress' && this.receiveProgress(message.params);
    }
    const request = this.find(message.id);
    request?.settle(message);
    return request !== undefined;
  }

  /** The wire is down. */
  close(): void {
    const error = McpError.fromError(ErrorCode.ConnectionClosed, 'Connection closed');
    for (const request of [...this.requests.values()]) {
      request.reject(error);
    }
  }

  private receiveProgress(params: unknown): boolean {
    const request = isJsonObject(params) ? this.find(params.progressToken) : undefined;
    const progress = request && parseProgress(params);
    if (progress) {
      request.progress(progress);
    }
    return request !== undefined;
  }

  /** Some servers send numbers back as text. */
  private find(id: unknown): DirectRequest | undefined {
    return typeof id === 'number' || typeof id === 'string'
      ? this.requests.get(Number(id))
      : undefined;
  }

  private announceCancellation(requestId: RequestId, reason: unknown): void {
    const params = { requestId, reason: String(reason) };
    // on a wire that is down there is nobody to tell
    this.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params }).catch(() => undefined);
  }
}

/** Without a token the server sends no progress, which could not reset the time-out then. */
function withToken(params: JsonObject | undefined, progressToken: RequestId): JsonObject {
  const meta = isJsonObject(params?._meta) ? params._meta : undefined;
  // progress under a token of the caller's own is not this request's alone
  return { params: { ...params, _meta: { progressToken, ...meta } } };
}

function settle(
  { result, error }: JsonObject,
  resolve: (result: JsonObject) => void,
  reject: (error: Error) => void,
): void {
  if (isJsonObject(result)) {
    resolve(result);
    return;
  }
  const { code, message, data } = error as { code: number; message: string; data?: unknown };
  reject(McpError.fromError(code, message, data));
}

/** As the SDK's own, whose limit on the total does not tell the server to stop. */
function createTimeout(): McpError {
  return McpError.fromError(ErrorCode.RequestTimeout, 'Request timed out');
}
