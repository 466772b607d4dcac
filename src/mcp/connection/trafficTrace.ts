import * as l10n from '@vscode/l10n';
import { isDeeperThan, type JsonObject } from '../../base/json.js';
import { isSecretName } from '../../config/secrets/secretNames.js';
import { redactedSentinel } from '../../config/secrets/sentinel.js';
import type { LogLevel } from '../../platform/ports.js';
import { maxDepth } from './reading/serverBounds.js';
import type { EngineConnectOptions } from './session/engine.js';

/** Characters of a message that a traced log shows. */
const maxFrameLength = 10_000;

/** Knows since when nothing came from a server. */
export class Hearing {
  private heardAt = performance.now();

  get silentMs(): number {
    return performance.now() - this.heardAt;
  }

  /** Listens too. */
  with({ onTraffic }: Pick<EngineConnectOptions, 'onTraffic'>): typeof onTraffic {
    return (direction, message, text) => {
      if (direction === 'received') {
        this.heardAt = performance.now();
      }
      onTraffic?.(direction, message, text);
    };
  }
}

/** Asks of each message whether it is to be logged. */
export function traceTraffic(
  isTrafficTraced: (() => boolean) | undefined,
  log: (level: LogLevel, message: string) => void,
): Pick<EngineConnectOptions, 'onTraffic'> {
  return isTrafficTraced
    ? {
        onTraffic: (direction, message) => {
          if (direction !== 'local' && isTrafficTraced()) {
            log('info', describeTraffic(direction, message));
          }
        },
      }
    : {};
}

function describeTraffic(direction: 'sent' | 'received', message: JsonObject): string {
  const text = frameText(message);
  const shown = text.length > maxFrameLength ? `${text.slice(0, maxFrameLength)}…` : text;
  return `${direction === 'sent' ? '→' : '←'} ${shown}`;
}

/** A message as JSON, without the values of fields whose name says that they are secret; to be masked. */
export function frameText(message: JsonObject): string {
  return isDeeperThan(message, maxDepth + 20)
    ? JSON.stringify(l10n.t('(a message that is nested too deeply)'))
    : JSON.stringify(message, maskSecretFields);
}

/** Also hides what is secret by its name, such as a password among the arguments of a tool. */
function maskSecretFields(name: string, value: unknown): unknown {
  return typeof value === 'string' && isSecretName(name) ? redactedSentinel : value;
}
