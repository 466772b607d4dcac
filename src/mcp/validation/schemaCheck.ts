import * as l10n from '@vscode/l10n';
import { isJsonObject, type JsonObject } from '../../base/json.js';
import { resolvePointer } from '../../base/pointer.js';
import {
  type Checker,
  checkArray,
  checkNumber,
  checkObject,
  checkText,
  misfit,
} from './keywords.js';
import type { CompiledPattern, CompilePattern } from './patterns.js';

/** About a tenth of a microsecond each: what one check may take, however its schema is made. */
const maxSteps = 4_000_000;
const stepsOfSchema = 20;
/** For each step of a compiled pattern, which is what compiling took. */
const stepsOfCompiling = 400;
/** So many steps of a pattern's program times characters pass in one step. */
const patternStepsPerStep = 50;
/** Levels of schemas and values; a reference to itself would be followed without end. */
const maxDepth = 400;

export type SchemaVerdict =
  | { readonly kind: 'fits' }
  /** `detail` says where and why not; `at` is the place alone, such as `data/a/0`. */
  | { readonly kind: 'mismatch'; readonly detail: string; readonly at: string }
  /** The schema is none; `reason` says why. */
  | { readonly kind: 'invalid'; readonly reason: string }
  /** Nobody can tell within the bounds; `reason` says what stands in the way. */
  | { readonly kind: 'unjudged'; readonly reason: string };

/**
 * Whether a value fits a schema of a server (JSON Schema 2020-12 and what draft 7 spells differently). Takes bounded
 * time whatever schema and value are: no code is generated from them, and patterns run in linear time. Both must be
 * of bounded depth.
 *
 * @param compile undefined takes every pattern for matched.
 */
export function checkSchema(
  schema: unknown,
  value: unknown,
  compile: CompilePattern | undefined,
): SchemaVerdict {
  try {
    const walk = new SchemaWalk(schema, compile);
    const detail = walk.check(schema, value, 'data');
    return detail === undefined ? { kind: 'fits' } : { kind: 'mismatch', detail, at: walk.at };
  } catch (error) {
    if (error instanceof NoVerdictError) {
      return { kind: error.kind, reason: error.message };
    }
    throw error;
  }
}

class NoVerdictError extends Error {
  override readonly name = 'NoVerdictError';

  constructor(
    readonly kind: 'invalid' | 'unjudged',
    message: string,
  ) {
    super(message);
  }
}

/** One check: the schema's root, and what may still be spent. */
class SchemaWalk implements Checker {
  /** Where the problem is that was named last. */
  at = 'data';
  private named: string | undefined;
  private steps = maxSteps;
  private depth = 0;
  private readonly patterns = new Map<string, CompiledPattern>();

  constructor(
    private readonly root: unknown,
    private readonly compile: CompilePattern | undefined,
  ) {}

  /** @param at where the value is, such as `data/a/0`. @returns what is wrong. */
  check(schema: unknown, value: unknown, at: string): string | undefined {
    if (typeof schema === 'boolean') {
      return schema ? undefined : l10n.t('{0} is not allowed', at);
    }
    if (!isJsonObject(schema)) {
      throw this.invalid(cut(JSON.stringify(schema) ?? ''));
    }
    this.spend(stepsOfSchema);
    if (++this.depth > maxDepth) {
      throw this.unjudged(l10n.t('the check would take too long'));
    }
    const problem =
      this.checkValue(schema, value, at) ??
      this.checkCombinations(schema, value, at) ??
      this.checkCondition(schema, value, at);
    this.depth--;
    // the innermost check has named it; those around it only hand it on
    if (problem !== undefined && problem !== this.named) {
      this.named = problem;
      this.at = at;
    }
    return problem;
  }

  fits(schema: unknown, value: unknown, at: string): boolean {
    return this.check(schema, value, at) === undefined;
  }

  /** The first problem of many parts. */
  first<T>(parts: Iterable<T>, check: (part: T) => string | undefined): string | undefined {
    for (const part of parts) {
      this.spend(1);
      const problem = check(part);
      if (problem !== undefined) {
        return problem;
      }
    }
    return undefined;
  }

  matches(source: string, text: string): boolean {
    if (!this.compile) {
      return true;
    }
    const pattern = this.patterns.get(source) ?? this.compile(source);
    if (!pattern) {
      throw this.notUnderstood(cut(source));
    }
    if (!this.patterns.has(source)) {
      this.patterns.set(source, pattern);
      this.spend(pattern.size * stepsOfCompiling);
    }
    this.spend((pattern.size * text.length) / patternStepsPerStep);
    return pattern.matches(text);
  }

  spend(steps: number): void {
    this.steps -= steps;
    if (this.steps < 0) {
      throw this.unjudged(l10n.t('the check would take too long'));
    }
  }

  number(schema: JsonObject, key: string): number | undefined {
    const value = schema[key];
    if (value !== undefined && typeof value !== 'number') {
      throw this.invalid(key);
    }
    return value;
  }

  list(schema: JsonObject, key: string): readonly unknown[] | undefined {
    const value = schema[key];
    if (value !== undefined && !Array.isArray(value)) {
      throw this.invalid(key);
    }
    return value;
  }

  map(schema: JsonObject, key: string): JsonObject | undefined {
    const value = schema[key];
    if (value !== undefined && !isJsonObject(value)) {
      throw this.invalid(key);
    }
    return value;
  }

  private checkValue(schema: JsonObject, value: unknown, at: string): string | undefined {
    const general = this.checkReference(schema, value, at) ?? this.checkKind(schema, value, at);
    if (general !== undefined) {
      return general;
    }
    if (typeof value === 'string') {
      return checkText(this, schema, value, at);
    }
    if (typeof value === 'number') {
      return checkNumber(this, schema, value, at);
    }
    if (Array.isArray(value)) {
      return checkArray(this, schema, value, at);
    }
    return isJsonObject(value) ? checkObject(this, schema, value, at) : undefined;
  }

  private checkReference(schema: JsonObject, value: unknown, at: string): string | undefined {
    for (const keyword of ['$dynamicRef', '$recursiveRef', 'unevaluatedProperties']) {
      if (schema[keyword] !== undefined) {
        throw this.notUnderstood(keyword);
      }
    }
    const { $ref } = schema;
    if ($ref === undefined) {
      return undefined;
    }
    return this.check(this.resolve($ref), value, at);
  }

  private resolve(reference: unknown): unknown {
    const path = String(reference);
    this.spend(path.length / 10);
    const target = resolvePointer(this.root, path);
    if (target === undefined) {
      throw this.invalid(cut(`$ref ${path}`));
    }
    return target;
  }

  private checkKind(schema: JsonObject, value: unknown, at: string): string | undefined {
    const { type } = schema;
    const types: readonly unknown[] = Array.isArray(type) ? type : [type];
    if (type !== undefined && !types.some((one) => this.isOfType(one, value))) {
      return misfit(at, types.join(', '));
    }
    if (schema.const !== undefined && !this.isEqual(schema.const, value)) {
      return misfit(at, cut(JSON.stringify(schema.const)));
    }
    const choices = this.list(schema, 'enum');
    return choices && !choices.some((choice) => this.isEqual(choice, value))
      ? misfit(at, cut(choices.map((one) => JSON.stringify(one)).join(' | ')))
      : undefined;
  }

  private isOfType(type: unknown, value: unknown): boolean {
    switch (type) {
      case 'null':
        return value === null;
      case 'integer':
        return Number.isInteger(value);
      case 'array':
        return Array.isArray(value);
      case 'object':
        return isJsonObject(value);
      case 'string':
      case 'number':
      case 'boolean':
        return typeof value === type;
      default:
        throw this.invalid(cut(`type ${String(type)}`));
    }
  }

  isEqual(one: unknown, other: unknown): boolean {
    this.spend(1);
    if (one === other || typeof one !== 'object' || typeof other !== 'object') {
      return one === other;
    }
    return this.canonicalText(one) === this.canonicalText(other);
  }

  /** Equal for equal values, whatever the order of their keys. */
  canonicalText(value: unknown): string {
    this.spend(1);
    if (Array.isArray(value)) {
      return `[${value.map((item) => this.canonicalText(item)).join()}]`;
    }
    if (!isJsonObject(value)) {
      const text = JSON.stringify(value);
      this.spend(text.length / 100);
      return text;
    }
    const entries = Object.keys(value)
      .sort()
      .map((key) => `${JSON.stringify(key)}:${this.canonicalText(value[key])}`);
    return `{${entries.join()}}`;
  }

  private checkCombinations(schema: JsonObject, value: unknown, at: string): string | undefined {
    const problem = this.first(this.list(schema, 'allOf') ?? [], (part) =>
      this.check(part, value, at),
    );
    if (problem !== undefined) {
      return problem;
    }
    const any = this.list(schema, 'anyOf');
    if (any && !any.some((part) => this.fits(part, value, at))) {
      return l10n.t('{0} fits none of the alternatives', at);
    }
    const one = this.list(schema, 'oneOf');
    if (one && one.filter((part) => this.fits(part, value, at)).length !== 1) {
      return l10n.t('{0} must fit exactly one of the alternatives', at);
    }
    return schema.not !== undefined && this.fits(schema.not, value, at)
      ? l10n.t('{0} is not allowed', at)
      : undefined;
  }

  private checkCondition(schema: JsonObject, value: unknown, at: string): string | undefined {
    if (schema.if === undefined) {
      return undefined;
    }
    const branch = this.fits(schema.if, value, at) ? schema.then : schema.else;
    return branch === undefined ? undefined : this.check(branch, value, at);
  }

  /** @param part its keyword, or itself where it is none */
  private invalid(part: string): NoVerdictError {
    const reason = l10n.t('"{0}" is missing, or not what it should be', part);
    return new NoVerdictError('invalid', reason);
  }

  private notUnderstood(part: string): NoVerdictError {
    return this.unjudged(l10n.t('"{0}" is not understood', part));
  }

  private unjudged(reason: string): NoVerdictError {
    return new NoVerdictError('unjudged', reason);
  }
}

function cut(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
