/** One schema for what several say together: those behind references, and those of `allOf`. */
import { asList, asObject, isJsonObject, type JsonObject } from '../../../base/json.js';
import { resolvePointer } from '../../../base/pointer.js';
import { combine } from './combine.js';

/** How often a reference was followed on the way to a place. */
export type Followed = ReadonlyMap</* reference */ string, number>;

export interface Expanded {
  /** Without `$ref` and `allOf`. */
  readonly schema: JsonObject;
  readonly followed: Followed;
  /** What the schemas say beside it, by keyword. */
  readonly lost: JsonObject;
}

export interface ExpansionLimits {
  /** How often a reference may lead to itself. */
  readonly maxReturns: number;
  /** References and parts that are followed for one tool. */
  readonly maxParts: number;
}

export class References {
  private parts = 0;

  constructor(
    private readonly root: JsonObject,
    private readonly limits: ExpansionLimits,
  ) {}

  /** More was written than anybody should read. */
  get isExhausted(): boolean {
    return this.parts > this.limits.maxParts;
  }

  /** @returns `undefined` when no value fits. */
  expand(schema: unknown, before: Followed): Expanded | undefined {
    const found: JsonObject[] = [];
    const followed = this.collect(schema, before, found);
    return followed && { ...combine(found), followed };
  }

  /** @param found gets the schemas, the nearest first. */
  private collect(schema: unknown, before: Followed, found: JsonObject[]): Followed | undefined {
    if (schema === false) {
      return undefined;
    }
    this.parts++;
    if (!isJsonObject(schema) || this.isExhausted) {
      return before;
    }
    const { $ref, allOf, ...own } = schema;
    found.push(own);
    const ways = [
      typeof $ref === 'string' ? this.follow($ref, before, found) : before,
      ...asList(allOf).map((part) => this.collect(part, before, found)),
    ];
    return ways.reduce((sum, way) => sum && way && mostOf(sum, way));
  }

  private follow($ref: string, before: Followed, found: JsonObject[]): Followed | undefined {
    const target = resolvePointer(this.root, $ref);
    const times = before.get($ref) ?? 0;
    if (times <= this.limits.maxReturns) {
      return this.collect(target, new Map(before).set($ref, times + 1), found);
    }
    found.push(openAgain(target, $ref));
    return before;
  }
}

/** For the model, so in English. */
function openAgain(target: unknown, $ref: string): JsonObject {
  const { type, properties } = asObject(target);
  const name = $ref.split('/').at(-1) || 'the whole';
  return {
    ...(typeof type === 'string' ? { type } : properties !== undefined && { type: 'object' }),
    description: `The same again as ${name} above; left open here.`,
  };
}

/** Of both ways. */
export function mostOf(one: Followed, other: Followed): Followed {
  const more = [...other].filter(([reference, times]) => times > (one.get(reference) ?? 0));
  return more.length === 0 ? one : new Map([...one, ...more]);
}
