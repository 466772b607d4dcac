/**
 * The syntaxes of variables as a small parser: `${VAR}`, `${VAR:-default}`, `${env:VAR}`, `$env:VAR`,
 * `{env:VAR}`, `${workspaceFolder}`, `${userHome}`, `${input:id}`. Pure: it finds variables, it does not read them.
 */
import { isJsonObject } from '../../base/json.js';
import type { McpServerLaunch, TextRange } from '../definition.js';

export type TemplatePart = { readonly kind: 'text'; readonly text: string } | VariablePart;

export interface VariablePart {
  readonly kind: 'variable';
  readonly variable: Variable;
  /** Used when the variable is unset or empty. */
  readonly fallback: readonly TemplatePart[] | undefined;
  /** Offsets in the parsed string. */
  readonly range: TextRange;
}

type Variable =
  | { readonly kind: 'env'; readonly name: string }
  | { readonly kind: 'input'; readonly name: string }
  /** `workspaceFolder`, `workspaceFolderBasename`, `userHome`, `pathSeparator`. */
  | { readonly kind: 'place'; readonly name: PlaceName }
  /** `${something:else}` that we do not know. */
  | { readonly kind: 'unknown'; readonly name: string };

export const placeNames = [
  'workspaceFolder',
  'workspaceFolderBasename',
  'userHome',
  'pathSeparator',
] as const;
export type PlaceName = (typeof placeNames)[number];

/** Defaults within defaults; deeper ones are plain text. */
const maxNesting = 64;

const wordPattern = /[A-Za-z_][A-Za-z0-9_]*/y;
const bareEnvPattern = /\$env:([A-Za-z_][A-Za-z0-9_]*)/y;
const braceEnvPattern = /\{env:([^{}]+)\}/y;

/** Splits a value into literal text and variables. What only looks like a variable stays text. */
export function parseTemplate(value: string): readonly TemplatePart[] {
  if (!value.includes('$') && !value.includes('{')) {
    return value === '' ? [] : [{ kind: 'text', text: value }];
  }
  return new TemplateParser(value).parse(0, value.length, 0);
}

/** Looks at each character a bounded number of times, however many braces there are. */
class TemplateParser {
  private readonly closings: ReadonlyMap</* opening */ number, number>;
  private nextSeparator = -1;

  constructor(private readonly value: string) {
    this.closings = closingBraces(value);
  }

  /** Ranges count from `start`. */
  parse(start: number, end: number, depth: number): readonly TemplatePart[] {
    const parts: TemplatePart[] = [];
    let literalFrom = start;
    const flush = (upTo: number) => {
      if (upTo > literalFrom) {
        parts.push({ kind: 'text', text: this.value.slice(literalFrom, upTo) });
      }
    };
    let at = start;
    while (at < end) {
      const found = this.variableAt(at, start, depth);
      if (found) {
        flush(at);
        parts.push(found);
        at = start + found.range.end;
        literalFrom = at;
      } else {
        at++;
      }
    }
    flush(end);
    return parts;
  }

  private variableAt(at: number, start: number, depth: number): VariablePart | undefined {
    if (this.value.startsWith('${', at)) {
      return depth < maxNesting ? this.bracedAt(at, start, depth) : undefined;
    }
    for (const pattern of [bareEnvPattern, braceEnvPattern]) {
      pattern.lastIndex = at;
      const match = pattern.exec(this.value);
      if (match?.[1]) {
        const range = { start: at - start, end: at - start + match[0].length };
        return {
          kind: 'variable',
          variable: { kind: 'env', name: match[1] },
          fallback: undefined,
          range,
        };
      }
    }
    return undefined;
  }

  private bracedAt(at: number, start: number, depth: number): VariablePart | undefined {
    const inside = at + 2;
    const end = this.closings.get(at + 1);
    if (end === undefined) {
      return undefined;
    }
    const separator = this.separatorFrom(inside);
    const hasFallback = separator !== -1 && separator < end;
    const variable = this.toVariable(inside, hasFallback ? separator : end);
    if (!variable) {
      return undefined;
    }
    const fallback = hasFallback ? this.parse(separator + 2, end, depth + 1) : undefined;
    return {
      kind: 'variable',
      variable,
      fallback,
      range: { start: at - start, end: end + 1 - start },
    };
  }

  /** Asked for ever later places, so that nothing is searched twice. */
  private separatorFrom(from: number): number {
    if (this.nextSeparator < from && this.nextSeparator !== Number.POSITIVE_INFINITY) {
      const found = this.value.indexOf(':-', from);
      this.nextSeparator = found === -1 ? Number.POSITIVE_INFINITY : found;
    }
    return this.nextSeparator === Number.POSITIVE_INFINITY ? -1 : this.nextSeparator;
  }

  private toVariable(from: number, to: number): Variable | undefined {
    const { value } = this;
    if (to === from + 1 && value[from] === '/') {
      return { kind: 'place', name: 'pathSeparator' };
    }
    wordPattern.lastIndex = from;
    const word = wordPattern.exec(value)?.[0] ?? '';
    const wordEnd = from + word.length;
    if (word === '' || wordEnd > to) {
      return undefined;
    }
    if (wordEnd === to) {
      const place = placeNames.find((known) => known === word);
      return place ? { kind: 'place', name: place } : { kind: 'env', name: word };
    }
    if (value[wordEnd] !== ':' || wordEnd + 1 === to) {
      return undefined;
    }
    return word === 'env' || word === 'input'
      ? { kind: word, name: value.slice(wordEnd + 1, to) }
      : { kind: 'unknown', name: value.slice(from, to) };
  }
}

/** Which brace closes which. */
function closingBraces(value: string): ReadonlyMap<number, number> {
  const closings = new Map<number, number>();
  const open: number[] = [];
  for (let at = 0; at < value.length; at++) {
    const character = value[at];
    if (character === '{') {
      open.push(at);
    } else if (character === '}') {
      const opening = open.pop();
      if (opening !== undefined) {
        closings.set(opening, at);
      }
    }
  }
  return closings;
}

/** Every variable of a value, those of defaults included. */
export function variablesIn(value: string): readonly VariablePart[] {
  return collect(parseTemplate(value));
}

/** The value with each variable replaced by `filler`, for checks of the literal rest. */
export function literalSkeleton(
  value: string,
  filler: string,
): { readonly text: string; readonly startsWithVariable: boolean } {
  const parts = parseTemplate(value);
  return {
    text: parts.map((part) => (part.kind === 'text' ? part.text : filler)).join(''),
    startsWithVariable: parts[0]?.kind === 'variable',
  };
}

/** Something outside of the file that a launch reads when it is resolved. */
export interface VariableUse {
  /** Such as `env.GITHUB_TOKEN` or `args[2]`. */
  readonly field: string;
  readonly kind: 'env' | 'input' | 'place' | 'command' | 'unknown';
  /** Name of the variable or input; the command line for `command`. */
  readonly name: string;
}

/** What a launch reads from its surroundings, field by field. For the trust gate and for hovers. */
export function variablesOf(launch: McpServerLaunch): readonly VariableUse[] {
  const uses = templateFields(launch).flatMap(usesOf);
  if (launch.kind === 'http' && launch.bearerTokenEnv && launch.bearerToken === undefined) {
    const name = launch.bearerTokenEnv;
    return [...uses, { field: 'bearerTokenEnv', kind: 'env', name }];
  }
  return uses;
}

function usesOf({ field, value, mayRunCommand }: TemplateField): readonly VariableUse[] {
  const command = mayRunCommand ? commandInValue(value) : undefined;
  if (command !== undefined) {
    return [{ field, kind: 'command', name: command }];
  }
  return variablesIn(value).map(({ variable: { kind, name } }) => ({ field, kind, name }));
}

/** The command line of a `!command` value; `!!` stands for a literal exclamation mark. */
export function commandInValue(value: string): string | undefined {
  return value.startsWith('!') && !value.startsWith('!!') ? value.slice(1).trim() : undefined;
}

export interface TemplateField {
  readonly field: string;
  readonly value: string;
  /** `!command` is run; only for values that are secrets anyway. */
  readonly mayRunCommand: boolean;
}

/** Every string of a launch that may hold variables. */
export function templateFields(launch: McpServerLaunch): readonly TemplateField[] {
  const plain = (field: string, value: string) => ({ field, value, mayRunCommand: false });
  const secret = (field: string, value: string) => ({ field, value, mayRunCommand: true });
  if (launch.kind === 'stdio') {
    return [
      plain('command', launch.command),
      ...launch.args.map((value, index) => plain(`args[${index}]`, value)),
      ...Object.entries(launch.env).map(([key, value]) => secret(`env.${key}`, value)),
      ...(launch.cwd === undefined ? [] : [plain('cwd', launch.cwd)]),
      ...(launch.envFile === undefined ? [] : [plain('envFile', launch.envFile)]),
    ];
  }
  return [
    plain('url', launch.url),
    ...Object.entries(launch.headers).map(([key, value]) => secret(`headers.${key}`, value)),
    ...(launch.bearerToken === undefined ? [] : [secret('bearerToken', launch.bearerToken)]),
    ...oauthTemplates('oauth', launch.oauth),
  ];
}

const oauthSecrets = new Set(['clientSecret', 'privateKey', 'assertion', 'idToken']);

/** Every string of the settings of an OAuth client; `field` is the path that leads to `value`. */
export function oauthTemplates(field: string, value: unknown): readonly TemplateField[] {
  if (typeof value === 'string') {
    return [{ field, value, mayRunCommand: oauthSecrets.has(field.split('.').at(-1) ?? '') }];
  }
  return isJsonObject(value)
    ? Object.entries(value).flatMap(([key, item]) => oauthTemplates(`${field}.${key}`, item))
    : [];
}

function collect(parts: readonly TemplatePart[]): readonly VariablePart[] {
  return parts.flatMap((part) =>
    part.kind === 'variable' ? [part, ...collect(part.fallback ?? [])] : [],
  );
}
