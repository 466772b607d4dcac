/** What a recorded server answers, in its place. */
import { delay } from '../../base/async/cancellation.js';
import { asObject, isDeeperThan, type JsonObject } from '../../base/json.js';
import { rpcCode } from '../../base/jsonRpc.js';
import { type RecordedAnswer, RecordedAnswers } from '../../mcp/traffic/recordedAnswers.js';
import type { ImportedRecording } from '../../mcp/traffic/recordingFile.js';
import type { Caller } from '../lending/lentCalls.js';
import { LogRelay } from '../lending/logRelay.js';
import { invalidParams, RpcError } from '../lending/rpcError.js';
import type { ServedEndpoint } from '../wire/wireTypes.js';

/** Milliseconds: a recording may say anything. */
const longestDelayMs = 60_000;
/** As of what is read of a recording. */
const maxDepth = 200;

export class MockEndpoint implements ServedEndpoint {
  private readonly answers: RecordedAnswers;
  readonly logs = new LogRelay(() => [], true);

  /** @param isDelayed answers take as long as they took */
  constructor(
    recording: ImportedRecording,
    private readonly isDelayed: boolean,
  ) {
    this.answers = new RecordedAnswers(recording);
  }

  get title(): string {
    return this.serverInfo.name;
  }

  get serverInfo() {
    return this.answers.server.serverInfo;
  }

  get capabilities() {
    return this.answers.server.capabilities;
  }

  get instructions(): string | undefined {
    return this.answers.server.instructions;
  }

  has(method: string): boolean {
    return this.answers.has(method);
  }

  /** @throws {RpcError} */
  async answer(method: string, params: unknown, { signal }: Pick<Caller, 'signal'>) {
    if (!this.has(method)) {
      throw new RpcError(rpcCode.methodNotFound, 'Method not found');
    }
    if (isDeeperThan(params, maxDepth)) {
      throw invalidParams('The parameters are nested too deeply.');
    }
    const asked = asObject(params);
    const found = this.answers.find(method, asked);
    if (!found) {
      throw invalidParams(`The recording has no answer to this request: ${aboutOf(method, asked)}`);
    }
    if (this.isDelayed) {
      await delay(Math.min(found.ms, longestDelayMs), signal);
    }
    return resultOf(found);
  }
}

function aboutOf(method: string, { name }: JsonObject): string {
  return typeof name === 'string' ? `${method} ${name.slice(0, 200)}` : method;
}

/** @throws {RpcError} */
function resultOf(answer: RecordedAnswer): JsonObject {
  switch (answer.kind) {
    case 'result':
      return answer.result;
    case 'cut':
      throw new RpcError(
        rpcCode.internalError,
        'The recording has only the beginning of this answer, which was too large.',
      );
    case 'error': {
      const { code, message, data } = answer.error;
      throw new RpcError(
        Number.isSafeInteger(code) ? Number(code) : rpcCode.internalError,
        typeof message === 'string' ? message : 'Internal error',
        data,
      );
    }
  }
}
