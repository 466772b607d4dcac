/** What a value with variables stands for, in words for a hover. */
import { basename, sep } from 'node:path';
import * as l10n from '@vscode/l10n';
import { redactedSentinel } from '../../mcpApi.js';
import type { WorkspaceFolder } from '../../mcpTypes.js';
import type { HostEnvironment } from '../../ports.js';
import { findField, secretFieldNames } from '../fields.js';
import { redactArg } from '../secretArgs.js';
import { holdsToken, isSecretName } from '../secretShapes.js';
import {
  commandOf,
  parseTemplate,
  type TemplatePart,
  type VariablePart,
  variablesIn,
} from '../variables.js';

export interface ValueContext {
  /** Where the value stands in its entry, such as `['env', 'TOKEN']`. */
  readonly place: readonly (string | number)[];
  readonly environment: HostEnvironment;
  readonly folder: WorkspaceFolder | undefined;
  /** The server may run: only then the value is put together. Otherwise names are all there is to see. */
  readonly mayResolve: boolean;
  readonly storedInputs: ReadonlySet<string>;
}

export interface ValueDescription {
  /** What the server gets, secrets hidden; `undefined` when it is not known or must not be shown. */
  readonly resolved: string | undefined;
  /** One sentence for each variable. */
  readonly facts: readonly string[];
}

/** `undefined` when the value is plain text. */
export function describeValue(value: string, context: ValueContext): ValueDescription | undefined {
  const mayRunCommand = ['env', 'environment', 'headers', 'bearerToken'].includes(
    String(context.place[0]),
  );
  if (mayRunCommand && commandOf(value) !== undefined) {
    const facts = [l10n.t('A command prints the value when the server starts.')];
    return { resolved: undefined, facts };
  }
  const variables = variablesIn(value);
  if (variables.length === 0) {
    return undefined;
  }
  return {
    resolved: context.mayResolve ? join(parseTemplate(value), context) : undefined,
    facts: [...new Set(variables.map((part) => variableFact(part, context)))],
  };
}

function variableFact({ variable, fallback }: VariablePart, context: ValueContext): string {
  const { name } = variable;
  switch (variable.kind) {
    case 'env':
      if (context.environment.getVariable(name) !== undefined) {
        return l10n.t('Environment variable {0}: set', name);
      }
      return fallback
        ? l10n.t('Environment variable {0}: not set, the default is used', name)
        : l10n.t('Environment variable {0}: not set', name);
    case 'input':
      return context.storedInputs.has(name)
        ? l10n.t('Input {0}: kept in the secret storage', name)
        : l10n.t('Input {0}: asked for when the server starts', name);
    case 'place':
      return placeOf(name, context) === undefined
        ? l10n.t('{0}: only known in a workspace folder', name)
        : l10n.t('{0}: filled in when the server starts', name);
    case 'unknown':
      return l10n.t('Not a variable that Pi MCP knows: {0}', name);
  }
}

/** `undefined` when a part has no value. */
function join(parts: readonly TemplatePart[], context: ValueContext): string | undefined {
  let text = '';
  for (const part of parts) {
    const value = part.kind === 'text' ? part.text : variableText(part, context);
    if (value === undefined) {
      return undefined;
    }
    text += value;
  }
  return text;
}

function variableText(part: VariablePart, context: ValueContext): string | undefined {
  const { variable, fallback } = part;
  const value = readValue(part, context);
  return fallback && (value === undefined || value === '')
    ? join(fallback, context)
    : value === undefined || variable.kind === 'place'
      ? value
      : masked(variable.name, value, context);
}

function readValue({ variable }: VariablePart, context: ValueContext): string | undefined {
  switch (variable.kind) {
    case 'env':
      return context.environment.getVariable(variable.name);
    case 'input':
      return context.storedInputs.has(variable.name) ? redactedSentinel : undefined;
    case 'place':
      return placeOf(variable.name, context);
    case 'unknown':
      return undefined;
  }
}

function placeOf(name: string, { folder, environment }: ValueContext): string | undefined {
  switch (name) {
    case 'workspaceFolder':
      return folder?.fsPath;
    case 'workspaceFolderBasename':
      return folder?.fsPath === undefined ? undefined : basename(folder.fsPath);
    case 'userHome':
      return environment.homeDir;
    default:
      return sep;
  }
}

/** A header is a secret whatever it is called; a variable of a server's environment is one by its name. */
function masked(variable: string, value: string, { place }: ValueContext): string {
  const [field, key] = place;
  const canonical = findField(String(field))?.name ?? String(field);
  const isSecretField =
    canonical === 'env' ? isSecretName(String(key)) : secretFieldNames.includes(canonical);
  const isSecret =
    isSecretField || isSecretName(variable) || /_key$/i.test(variable) || holdsToken(value);
  return isSecret ? redactedSentinel : redactArg(value, undefined);
}
