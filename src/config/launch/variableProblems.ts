/** What will go wrong with the variables of a launch, told before it is used. */
import * as l10n from '@vscode/l10n';
import type { McpServerLaunch } from '../definition.js';
import { notSet, unknownVariable } from '../sentences.js';
import { placeNames, type TemplateField, templateFields, variablesIn } from './variables.js';

export interface VariableProblem {
  readonly code: 'unknown-variable' | 'shell-variable';
  /** Such as `env.GITHUB_TOKEN` or `args[2]`. */
  readonly field: string;
  readonly message: string;
  readonly remedy: string;
  /** As it stands in the value, and what could stand there; `undefined` when nobody can tell. */
  readonly replacement?: { readonly written: string; readonly better: string };
}

/** Variables that nothing sets, and those that no shell will fill in. */
export function variableProblems(
  launch: McpServerLaunch,
  isVariableSet: (name: string) => boolean,
): readonly VariableProblem[] {
  const problems = templateFields(launch).flatMap((template) => [
    ...unresolved(template, isVariableSet),
    ...forShells(template, launch),
  ]);
  const name = launch.kind === 'http' && launch.bearerToken === undefined && launch.bearerTokenEnv;
  return name && !isVariableSet(name)
    ? [...problems, { ...unset(name), field: 'bearerTokenEnv' }]
    : problems;
}

/** @param name of a variable that is not set. */
export function unsetRemedy(name: string): string {
  return l10n.t(
    'Write {0} to be asked for it once, or set {1} before the editor starts. A default, {2}, would be shared with the file.',
    inputReference(name),
    name,
    `\${${name}:-…}`,
  );
}

function unset(name: string) {
  return {
    code: 'unknown-variable',
    message: notSet(name),
    remedy: unsetRemedy(name),
  } as const;
}

/** `${input:…}` for what a variable holds. */
function inputReference(name: string): string {
  const id = name.replace(/[^A-Za-z0-9]+/g, '-').toLowerCase();
  return `\${input:${id.replace(/^-|-$/g, '')}}`;
}

/** Variables of one text that nothing sets. */
export function unresolved(
  { field, value, mayRunCommand }: TemplateField,
  isVariableSet: (name: string) => boolean,
): readonly VariableProblem[] {
  // a shell fills in the variables of a command by itself
  const variables = mayRunCommand && value.startsWith('!') ? [] : variablesIn(value);
  return variables.flatMap(({ variable: { kind, name }, fallback, range }) => {
    const written = value.slice(range.start, range.end);
    if (kind === 'unknown') {
      const told = { message: unknownVariable(name), remedy: knownVariables() };
      return [{ code: 'unknown-variable', field, ...told } as const];
    }
    if (kind !== 'env' || fallback !== undefined || isVariableSet(name)) {
      return [];
    }
    const place = placeNames.find((known) => known.toLowerCase() === name.toLowerCase());
    const better = place ? `\${${place}}` : inputReference(name);
    const remedy = place ? l10n.t('Write it as {0}.', better) : unsetRemedy(name);
    return [{ ...unset(name), remedy, field, replacement: { written, better } }];
  });
}

export function knownVariables(): string {
  return l10n.t(
    'Use ${VAR}, ${VAR:-default}, ${env:VAR}, ${workspaceFolder}, ${userHome} or ${input:id}.',
  );
}

/** `$NAME` and no more: what stands in passwords, patterns and prices is none. */
const shellVariable = /(?<=^|[\s/:=,;"'])\$([A-Z][A-Z0-9_]{2,})(?![\w(])/;
const shells =
  /(?:^|[\\/])(?:ba|z|da|k|fi|c)?sh(?:\.exe)?$|(?:^|[\\/])(?:cmd|powershell|pwsh)(?:\.exe)?$/i;

function forShells(
  { field, value, mayRunCommand }: TemplateField,
  launch: McpServerLaunch,
): readonly VariableProblem[] {
  const found = shellVariable.exec(value);
  const isCommand = mayRunCommand && value.startsWith('!');
  if (!found || isCommand || reachesShell(field, launch)) {
    return [];
  }
  const [written, name = ''] = found;
  const better = `\${${name}}`;
  return [
    {
      code: 'shell-variable',
      field,
      message: l10n.t('{0} in {1} is passed on as it is written.', written, field),
      remedy: l10n.t('Write it as {0}.', better),
      replacement: { written, better },
    },
  ];
}

/** Arguments of a shell, or what follows `-c`. */
function reachesShell(field: string, launch: McpServerLaunch): boolean {
  const index = Number(/^args\[(\d+)\]$/.exec(field)?.[1] ?? -1);
  if (launch.kind !== 'stdio' || index === -1) {
    return false;
  }
  const before = launch.args[index - 1] ?? '';
  return shells.test(launch.command) || /^-[a-z]*c$/.test(before);
}
