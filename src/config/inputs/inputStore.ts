import { asList, parseJson } from '../../base/json.js';
import type { SecretStore } from '../../platform/ports.js';
import type { McpPoolId } from '../definition.js';

/** A secret store that can be asked what it holds. */
export interface ListableSecretStore extends SecretStore {
  keys(): Promise<readonly string[]>;
}

/** Which stored answer is meant. An input belongs to the files of one pool. */
export interface InputKey {
  readonly poolId: McpPoolId;
  readonly inputId: string;
}

const prefix = 'input:';

/** The values of `${input:id}`. Nothing else writes or reads keys of its prefix. */
export class InputStore {
  constructor(private readonly secrets: ListableSecretStore) {}

  get(key: InputKey): Promise<string | undefined> {
    return this.secrets.get(toText(key));
  }

  set(key: InputKey, value: string): Promise<void> {
    return this.secrets.store(toText(key), value);
  }

  forget(key: InputKey): Promise<void> {
    return this.secrets.delete(toText(key));
  }

  /** Keys only: values are never listed. */
  async list(): Promise<readonly InputKey[]> {
    return (await this.secrets.keys()).flatMap(fromText);
  }
}

// both parts may hold any character
function toText({ poolId, inputId }: InputKey): string {
  return prefix + JSON.stringify([poolId, inputId]);
}

function fromText(text: string): readonly InputKey[] {
  if (!text.startsWith(prefix)) {
    return [];
  }
  const [poolId, inputId] = asList(parseJson(text.slice(prefix.length)));
  return typeof poolId === 'string' && typeof inputId === 'string' ? [{ poolId, inputId }] : [];
}
