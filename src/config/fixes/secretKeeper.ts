/** Keeps secrets out of files: they are stored, and the file refers to them. */
import { isJsonObject, type JsonObject } from '../../base/json.js';
import type { NewServer, PoolConfiguration } from '../configuration.js';
import type { InputKey, InputStore } from '../inputs/inputStore.js';
import { writtenSecrets } from '../lint/sharedSecrets.js';
import type { ConfigPath } from '../parse/configTypes.js';
import { findField } from '../schema/fields.js';
import { redactedSentinel } from '../secrets/sentinel.js';
import { newInput, referTo, takeName } from './quickFixes.js';

/** A value of an entry that whoever reads the file would get to see. */
export interface WrittenSecret {
  /** In the entry. */
  readonly path: ConfigPath;
  /** Name of the field by the table, such as `env` or `oauth.clientSecret`. */
  readonly field: string;
  readonly suggestedId: string;
}

/** What is to be written, and what is to be stored before. */
export interface SecretPlan {
  readonly servers: readonly NewServer[];
  readonly answers: readonly Answer[];
}

/** A secret, and what is stored of it under which id. */
interface Answer {
  readonly secret: WrittenSecret;
  readonly key: InputKey;
  readonly value: string;
}

export class SecretKeeper {
  constructor(private readonly answers: Pick<InputStore, 'get' | 'set' | 'forget' | 'list'>) {}

  /** Values that are kept as they are do not count. */
  async find({ name, entry }: NewServer): Promise<readonly WrittenSecret[]> {
    const findings = await writtenSecrets(name, entry);
    return findings.flatMap(({ detail }) => {
      if (detail?.kind !== 'secret') {
        return [];
      }
      const path = detail.valuePath.slice(2);
      const isKept = String(valueAt(entry, path)).includes(redactedSentinel);
      return isKept ? [] : [{ path, field: fieldOf(path), suggestedId: detail.suggestedId }];
    });
  }

  /** Ids of inputs that a new one of the pool cannot have. */
  async takenIds({
    id: poolId,
    inputs,
  }: Pick<PoolConfiguration, 'id' | 'inputs'>): Promise<ReadonlySet<string>> {
    const stored = await this.answers.list();
    return new Set([
      ...inputs.map(({ id }) => id),
      ...stored.filter((key) => key.poolId === poolId).map(({ inputId }) => inputId),
    ]);
  }

  /** @param isMoved which of the secrets leave the file. Default: all. */
  async plan(
    servers: readonly NewServer[],
    { id: poolId, inputs }: Pick<PoolConfiguration, 'id' | 'inputs'>,
    isMoved: (secret: WrittenSecret, written: string) => boolean = () => true,
  ): Promise<SecretPlan> {
    const taken = new Set([
      ...(await this.takenIds({ id: poolId, inputs })),
      ...servers.flatMap((server) => (server.inputs ?? []).map(({ id }) => String(id))),
    ]);
    const planned: NewServer[] = [];
    const answers: Answer[] = [];
    for (const server of servers) {
      let { entry } = server;
      const declared: JsonObject[] = [];
      for (const secret of await this.find(server)) {
        const { path } = secret;
        const written = String(valueAt(entry, path));
        if (!isMoved(secret, written)) {
          continue;
        }
        const inputId = takeName(secret.suggestedId, taken);
        const { value, reference } = referTo(inputId, written, argumentBefore(entry, path));
        entry = replaceAt(entry, path, reference) as JsonObject;
        declared.push(newInput(inputId));
        answers.push({ secret, key: { poolId, inputId }, value });
      }
      const known = server.inputs ?? [];
      planned.push(
        declared.length === 0 ? server : { ...server, entry, inputs: [...known, ...declared] },
      );
    }
    return { servers: planned, answers };
  }

  /** Stores first: a server that starts with the file finds them. Where nothing was written, what was stored before is again. */
  async carryOut<T>(
    { answers }: { readonly answers: readonly Pick<Answer, 'key' | 'value'>[] },
    write: () => Promise<T>,
  ): Promise<T> {
    // another window may have taken an id since the plan
    const before = await Promise.all(answers.map(({ key }) => this.answers.get(key)));
    try {
      for (const { key, value } of answers) {
        await this.answers.set(key, value);
      }
      return await write();
    } catch (error) {
      const takeBack = answers.map(({ key }, index) => {
        const known = before[index];
        return known === undefined ? this.answers.forget(key) : this.answers.set(key, known);
      });
      await Promise.all(takeBack);
      throw error;
    }
  }
}

/** A command that is an array holds the arguments, too. */
function fieldOf([first = '', ...rest]: ConfigPath): string {
  const name = findField(String(first))?.name ?? String(first);
  if (name === 'command' && rest.length > 0) {
    return 'args';
  }
  return name === 'oauth' || name === 'auth' ? ['oauth', ...rest].join('.') : name;
}

/** `undefined`: the path leads to no argument, or to the first. */
export function argumentBefore(entry: JsonObject, path: ConfigPath): unknown {
  const index = path.at(-1);
  return typeof index === 'number' && index > 0
    ? valueAt(entry, [...path.slice(0, -1), index - 1])
    : undefined;
}

export function valueAt(value: unknown, path: ConfigPath): unknown {
  return path.reduce<unknown>(
    (inner, step) =>
      Array.isArray(inner) || isJsonObject(inner) ? (inner as JsonObject)[step] : undefined,
    value,
  );
}

export function replaceAt(
  value: unknown,
  [step, ...rest]: ConfigPath,
  replacement: string,
): unknown {
  if (step === undefined) {
    return replacement;
  }
  if (Array.isArray(value)) {
    return value.map((item, index) => (index === step ? replaceAt(item, rest, replacement) : item));
  }
  return isJsonObject(value)
    ? { ...value, [step]: replaceAt(value[step], rest, replacement) }
    : value;
}
