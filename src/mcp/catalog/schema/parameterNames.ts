/** Names of parameters as a model gets them: some providers refuse names that servers have. */
import { createHash } from 'node:crypto';
import type { JsonObject } from '../../../base/json.js';

/** What Anthropic and Bedrock demand of the properties of the root. */
const allowed = /^[a-zA-Z0-9_.-]{1,64}$/;
const maxLength = 64;
const hashLength = 8;

export class ParameterNames {
  private readonly forModel: ReadonlyMap</* of the server */ string, string>;
  private readonly forServer: ReadonlyMap</* of the model */ string, string>;

  /** @param names all of the server's; equal ones give equal results. */
  constructor(names: readonly string[]) {
    this.forModel = renameAll(names);
    this.forServer = new Map([...this.forModel].map(([name, given]) => [given, name]));
  }

  /** The name that the model knows. */
  given(name: string): string {
    return this.forModel.get(name) ?? name;
  }

  /** Arguments as the server knows them; those that it knows already stay. */
  toServer(args: JsonObject): JsonObject {
    return rename(args, this.forServer);
  }

  /** Arguments as the model knows them; those that it knows already stay. */
  toModel(args: JsonObject): JsonObject {
    return rename(args, this.forModel);
  }
}

function rename(args: JsonObject, names: ReadonlyMap<string, string>): JsonObject {
  return names.size === 0
    ? args
    : Object.fromEntries(
        Object.entries(args).map(([name, value]) => [names.get(name) ?? name, value]),
      );
}

/** Only those that change; no new name is a name of the server or given twice. */
function renameAll(names: readonly string[]): ReadonlyMap<string, string> {
  const taken = new Set(names);
  const given = new Map<string, string>();
  for (const name of names.filter((one) => !allowed.test(one))) {
    const free = freeName(name, taken);
    taken.add(free);
    given.set(name, free);
  }
  return given;
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  const plain = name.replace(/[^a-zA-Z0-9_.-]+/g, '_').slice(0, maxLength);
  if (/[a-zA-Z0-9]/.test(plain) && name.length <= maxLength && !taken.has(plain)) {
    return plain;
  }
  for (let salt = 0; ; salt++) {
    const hash = createHash('sha256').update(`${salt} ${name}`).digest('hex').slice(0, hashLength);
    const unique = `${plain.slice(0, maxLength - hashLength - 1)}_${hash}`;
    if (!taken.has(unique)) {
      return unique;
    }
  }
}
