/**
 * The variable syntaxes of design §5 as a small parser: `${VAR}`, `${VAR:-default}`, `${env:VAR}`, `$env:VAR`,
 * `{env:VAR}`, `${workspaceFolder}`, `${userHome}`, `${input:id}`. Pure: it finds variables, it does not read them.
 */
import { isJsonObject } from '../../base/json.js';
import type { McpServerLaunch, TextRange } from '../mcpTypes.js';

export type TemplatePart = { readonly kind: 'text'; readonly text: string } | VariablePart;

export interface VariablePart {
  readonly kind: 'variable';
  readonly variable: Variable;
  /** Used when the variable is unset or empty. */
  readonly fallback: readonly TemplatePart[] | undefined;
  /** Offsets in the parsed string. */
  readonly range: TextRange;
}

export type Variable =
  | { readonly kind: 'env'; readonly name: string }
  | { readonly kind: 'input'; readonly name: string }
  /** `workspaceFolder`, `workspaceFolderBasename`, `userHome`, `pathSeparator`. */
  | { readonly kind: 'place'; readonly name: PlaceName }
  /** `${something:else}` that we do not know. */
  | { readonly kind: 'unknown'; readonly name: string };

const placeNames = [
  'workspaceFolder',
  'workspaceFolderBasename',
  'userHome',
  'pathSeparator',
] as const;
export type PlaceName = (typeof placeNames)[number];

// bounds the work on a value made of nothing but opening braces
const maxVariableLength = 4096;

const namePattern = /^[A-Za-z_][A-Za-z0-9_]*$/;
const bareEnvPattern = /\$env:([A-Za-z_][A-Za-z0-9_]*)/y;
const braceEnvPattern = /\{env:([^{}]+)\}/y;

/** Splits a value into literal text and variables. What only looks like a variable stays text. */
export function parseTemplate(value: string): readonly TemplatePart[] {
  const parts: TemplatePart[] = [];
  let literal = '';
  const flush = () => {
    if (literal) {
      parts.push({ kind: 'text', text: literal });
      literal = '';
    }
  };
  let at = 0;
  while (at < value.length) {
    const part = variableAt(value, at);
    if (part) {
      flush();
      parts.push(part);
      at = part.range.end;
    } else {
      literal += value.charAt(at++);
    }
  }
  flush();
  return parts;
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
  readonly hasDefault: boolean;
}

/** What a launch reads from its surroundings, field by field. For the trust gate and for hovers. */
export function variablesOf(launch: McpServerLaunch): readonly VariableUse[] {
  const uses = templateFields(launch).flatMap(usesOf);
  if (launch.kind === 'http' && launch.bearerTokenEnv && launch.bearerToken === undefined) {
    const name = launch.bearerTokenEnv;
    return [...uses, { field: 'bearerTokenEnv', kind: 'env', name, hasDefault: false }];
  }
  return uses;
}

function usesOf({ field, value, mayRunCommand }: TemplateField): readonly VariableUse[] {
  const command = mayRunCommand ? commandOf(value) : undefined;
  if (command !== undefined) {
    return [{ field, kind: 'command', name: command, hasDefault: false }];
  }
  return variablesIn(value).map(({ variable, fallback }) => ({
    field,
    kind: variable.kind,
    name: variable.name,
    hasDefault: fallback !== undefined,
  }));
}

/** The command line of a `!command` value; `!!` stands for a literal exclamation mark. */
export function commandOf(value: string): string | undefined {
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

function variableAt(value: string, at: number): VariablePart | undefined {
  if (value.startsWith('${', at)) {
    return bracedAt(value, at);
  }
  for (const pattern of [bareEnvPattern, braceEnvPattern]) {
    pattern.lastIndex = at;
    const match = pattern.exec(value);
    if (match?.[1]) {
      const range = { start: at, end: at + match[0].length };
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

function bracedAt(value: string, at: number): VariablePart | undefined {
  const end = closingBrace(value, at + 2);
  if (end === undefined) {
    return undefined;
  }
  const inner = value.slice(at + 2, end);
  const separator = inner.indexOf(':-');
  const name = separator === -1 ? inner : inner.slice(0, separator);
  const variable = toVariable(name);
  if (!variable) {
    return undefined;
  }
  const fallback = separator === -1 ? undefined : parseTemplate(inner.slice(separator + 2));
  return { kind: 'variable', variable, fallback, range: { start: at, end: end + 1 } };
}

/** Offset of the brace that closes the variable whose inside starts at `from`. */
function closingBrace(value: string, from: number): number | undefined {
  let depth = 0;
  const end = Math.min(value.length, from + maxVariableLength);
  for (let at = from; at < end; at++) {
    const character = value[at];
    if (character === '{') {
      depth++;
    } else if (character === '}') {
      if (depth === 0) {
        return at;
      }
      depth--;
    }
  }
  return undefined;
}

function toVariable(name: string): Variable | undefined {
  const place = name === '/' ? 'pathSeparator' : placeNames.find((known) => known === name);
  if (place) {
    return { kind: 'place', name: place };
  }
  const colon = name.indexOf(':');
  if (colon === -1) {
    return namePattern.test(name) ? { kind: 'env', name } : undefined;
  }
  const rest = name.slice(colon + 1);
  const prefix = name.slice(0, colon);
  if (!rest || !namePattern.test(prefix)) {
    return undefined;
  }
  if (prefix === 'env' || prefix === 'input') {
    return { kind: prefix, name: rest };
  }
  return { kind: 'unknown', name };
}
