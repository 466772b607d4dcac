import * as l10n from '@vscode/l10n';
import { isDeeperThan, type JsonObject } from '../../base/json.js';
import { isSecretName } from '../../config/secrets/secretNames.js';
import { redactedSentinel } from '../../config/secrets/sentinel.js';
import { fieldNames } from './reading/nesting.js';
import { maxDepth } from './reading/serverBounds.js';

/** Characters of a message that a traced log shows. */
const maxFrameLength = 10_000;

/** A message on one line of a log; to be masked. */
export function describeTraffic(direction: 'sent' | 'received', message: JsonObject): string {
  const text = frameText(message);
  const shown = text.length > maxFrameLength ? `${text.slice(0, maxFrameLength)}…` : text;
  return `${direction === 'sent' ? '→' : '←'} ${shown}`;
}

/** A message as JSON, without the values of fields whose name says that they are secret; to be masked. */
export function frameText(message: JsonObject): string {
  if (isDeeperThan(message, maxDepth + 20)) {
    return JSON.stringify(`(${l10n.t('nested too deeply')})`);
  }
  const text = JSON.stringify(message);
  // to be asked about each value costs many times as much as to write them
  const isSecret = [...fieldNames(text)].some((name) => isSecretName(JSON.parse(name)));
  return isSecret ? JSON.stringify(message, maskSecretFields) : text;
}

/** Also hides what is secret by its name, such as a password among the arguments of a tool. */
function maskSecretFields(name: string, value: unknown): unknown {
  return typeof value === 'string' && isSecretName(name) ? redactedSentinel : value;
}
