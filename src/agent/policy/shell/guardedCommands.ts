/**
 * Commands that are asked about each time, in every mode: what they do reaches others or cannot be taken back. For what
 * a model does by mistake; a program that it writes can do the same under any name.
 */
import { findGrammar } from './grammars.js';
import { readCommands } from './readCommands.js';
import type { ShellCommand } from './shellCommand.js';

const asOthers: ReadonlySet<string> = new Set(['sudo', 'doas', 'su', 'runas', 'pkexec']);
const downloaders: ReadonlySet<string> = new Set(
  'curl wget aria2c iwr irm invoke-webrequest invoke-restmethod'.split(' '),
);
const shells: ReadonlySet<string> = new Set(
  'sh bash dash zsh fish ksh pwsh powershell cmd eval source . iex invoke-expression'.split(' '),
);
const interpreters = /^(?:python|node|perl|ruby|php|deno|bun|lua)[\d.]*$/;
/** They start what their words say. */
const launchers: ReadonlySet<string> = new Set(
  (
    'sh bash dash zsh fish ksh csh tcsh pwsh powershell cmd busybox eval source . exec env xargs ssh parallel watch ' +
    'script setsid chroot nsenter unshare flock time timeout nohup command nice builtin trap find fd'
  ).split(' '),
);
/** What they name is a place, and no thing to do. */
const placers: ReadonlySet<string> = new Set(
  'cd pushd mkdir rmdir touch cp mv ln chmod code test which man'.split(' '),
);
const harms = /^(?:[\w.-]+:)?(?:publish|unpublish|deploy|undeploy|destroy)(?::[\w.:-]+)?$/;
const harmsOf: Readonly<Record<string, RegExp>> = {
  docker: /^push$/,
  gh: /^release$/,
  kubectl: /^(?:apply|delete)$/,
  terraform: /^apply$/,
  tofu: /^apply$/,
  twine: /^upload$/,
};

/**
 * @param isKnownShell its language is the one that is read; others are searched as text
 * @returns the part of the line, as written; `undefined`: nothing in it is guarded
 */
export function guardedInLine(line: string, isKnownShell = true): string | undefined {
  const commands = isKnownShell ? readCommands(line) : undefined;
  if (!commands) {
    return isGuardedText(line) ? line.trim() : undefined;
  }
  const found = commands.find(isGuarded) ?? commands.find((one) => isFedByOthers(one, commands));
  return found?.text;
}

function isGuarded(command: ShellCommand): boolean {
  const words = command.words.map(({ value, raw }) => value ?? raw);
  const name = nameOf(words[0]);
  return isGuardedCommand(words, command) || (isLauncher(name) && isGuardedText(words.join(' ')));
}

function isLauncher(name: string): boolean {
  return launchers.has(name) || interpreters.test(name);
}

/** In words that are taken for commands wherever one could begin. */
function isGuardedText(text: string): boolean {
  const words = text.split(/[^\w./:@=+-]+/);
  const names = words.map(nameOf);
  return (
    words.some((_, at) => isGuardedCommand(words.slice(at))) ||
    (names.some((name) => downloaders.has(name)) && names.some((name) => shells.has(name)))
  );
}

function isGuardedCommand(words: readonly string[], command?: ShellCommand): boolean {
  const [program, ...rest] = words;
  const name = nameOf(program);
  if (asOthers.has(name)) {
    return true;
  }
  if (name === 'git') {
    return isGuardedGit(rest);
  }
  if (name === 'rm' || name === 'remove-item' || name === 'ri') {
    return rest.some((word) => /^-[a-z]*r|^--r/i.test(word));
  }
  const operands = rest.filter((word) => !word.startsWith('-'));
  if (Object.hasOwn(harmsOf, name) && harmsOf[name]?.test(operands[0] ?? '')) {
    return true;
  }
  // what is read and where it is put may be called anything
  const isOfFiles =
    placers.has(name) || (command !== undefined && findGrammar(command)?.grammar.isFilter === true);
  return !isOfFiles && command !== undefined
    ? harms.test(name.replace(/\.\w+$/, '')) ||
        operands.slice(0, 3).some((word) => harms.test(word))
    : harms.test(operands[0] ?? '') && /^(?:npm|pnpm|yarn|bun|npx|make|cargo)$/.test(name);
}

const valuedOfGit =
  /^(?:-[cC]|--(?:git-dir|work-tree|namespace|exec-path|super-prefix|config-env))$/;

/** What may follow the program before its verb is skipped. */
function isGuardedGit(words: readonly string[]): boolean {
  let at = 0;
  while (words[at]?.startsWith('-')) {
    at += valuedOfGit.test(words[at] ?? '') ? 2 : 1;
  }
  const options = words.slice(at + 1);
  switch (words[at]) {
    case 'push':
    case 'clean':
    case 'checkout':
    case 'restore':
      return true;
    case 'reset':
      return options.some((word) => /^--ha/.test(word));
    case 'switch':
      return options.some((word) => /^-[a-zA-Z]*[fC]|^--(?:f|disc)/.test(word));
    default:
      return false;
  }
}

/** A shell, or an interpreter without a program of its own, in a line that downloads something. */
function isFedByOthers({ words, isFed }: ShellCommand, all: readonly ShellCommand[]): boolean {
  if (!all.some((other) => downloaders.has(nameOf(other.words[0]?.value)))) {
    return false;
  }
  const inner = words.findIndex(
    ({ value }) => !/^(?:env|time|nice|nohup|command)$/.test(value ?? ''),
  );
  const [program, ...rest] = words.slice(Math.max(inner, 0));
  const name = nameOf(program?.value);
  const isBare = rest.every(({ value }) => value === '-');
  return shells.has(name) || (isFed && interpreters.test(name) && isBare);
}

function nameOf(program: string | undefined): string {
  return (
    (program ?? '')
      .split(/[/\\]/)
      .at(-1)
      ?.replace(/\.exe$/i, '')
      .toLowerCase() ?? ''
  );
}
