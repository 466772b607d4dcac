import * as l10n from '@vscode/l10n';
import { HumanError } from '../../../base/errors.js';
import { isJsonObject, type JsonObject } from '../../../base/json.js';
import type { RequestId } from '../reading/repairResponse.js';
import { notValid } from '../reading/repairResponse.js';

/** Says of an incomplete answer to `initialize` what it lacks, where the SDKs would show the log of their validator. */
export class HandshakeCheck {
  private requestId: RequestId | undefined;
  private isAnswered = false;
  private missing: readonly string[] = [];

  sent(message: object): void {
    const { id, method } = message as JsonObject;
    if (method === 'initialize') {
      this.requestId = id as RequestId;
    }
  }

  received({ id, result }: JsonObject): void {
    if (id !== undefined && id === this.requestId && isJsonObject(result)) {
      this.isAnswered = true;
      this.missing = missingFields(result);
    }
  }

  /** The request whose answer was no reason to begin; `undefined` when there was none. */
  get answeredId(): RequestId | undefined {
    return this.isAnswered ? this.requestId : undefined;
  }

  /** Why the session could not begin: the answer of the server if that was incomplete, else `error`. */
  explain(error: unknown): unknown {
    return this.missing.length === 0
      ? error
      : new HumanError('bad_handshake', notValid('initialize', this.missing.join(', ')), {
          remedy: l10n.t('Update the server.'),
          cause: error,
        });
  }
}

/** Of the specification 2025-11-25, Lifecycle, Initialization. */
function missingFields(result: JsonObject): readonly string[] {
  const { protocolVersion, capabilities, serverInfo } = result;
  const info = isJsonObject(serverInfo) ? serverInfo : undefined;
  return [
    ...(typeof protocolVersion === 'string' ? [] : ['protocolVersion']),
    ...(isJsonObject(capabilities) ? [] : ['capabilities']),
    ...(info ? [] : ['serverInfo']),
    ...(info && typeof info.name !== 'string' ? ['serverInfo.name'] : []),
    ...(info && typeof info.version !== 'string' ? ['serverInfo.version'] : []),
  ];
}
