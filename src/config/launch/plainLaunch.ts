/** Whether a process runs what its entry seems to name, and nothing else. Pure; one grammar for every place that says so. */
import { addAll } from '../../base/lists.js';
import type { McpServerLaunch } from '../definition.js';
import { type LaunchTrait, launchTraits, traitsOf } from './launchTraits.js';
import { isLoaderVariable, isPlainArgument, isPlainFile } from './plainWords.js';
import { otherRunners, type RunnerGrammar, runnerGrammars } from './runnerGrammar.js';

/** What of a launch decides which code runs, as written. */
export interface LaunchWords {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Words of the launch that nobody knows to be plain; none: it runs the package, image or file that it names. */
export function oddWords({ command, args, env }: LaunchWords): readonly string[] {
  return [
    ...new Set([...oddInCommand(command, args), ...Object.keys(env).filter(isLoaderVariable)]),
  ];
}

/** Every trait of the launch, also of what asks for consent in any case. */
export function traitsWithWords(
  launch: McpServerLaunch,
  isGlobalName: boolean,
): readonly LaunchTrait[] {
  const isOdd = launch.kind === 'stdio' && oddWords(launch).length > 0;
  const found = traitsOf(launch, isGlobalName);
  return launchTraits.filter(
    (trait) => found.includes(trait) || (isOdd && trait === 'runs_other_code'),
  );
}

/** @param packages names of those that the program comes from, as far as something says so. */
function oddInCommand(
  command: string,
  args: readonly string[],
  packages: readonly string[] = [],
): readonly string[] {
  // no shell splits it
  const isLine = /\s/.test(command) && !/[\\/]/.test(command);
  if (isLine || command.startsWith('@') || !isPlainFile(command)) {
    return [command];
  }
  const name = programName(command);
  if (name === 'cmd') {
    return oddInCmd(command, args);
  }
  const grammar = Object.hasOwn(runnerGrammars, name) ? runnerGrammars[name] : undefined;
  if (grammar) {
    return new Reading(command, grammar, args).odd;
  }
  return isServer(command, name, packages) ? args.filter(isOddArgument) : [command];
}

/** `cmd /c` and a plain launch, as entries for Windows have it. */
function oddInCmd(command: string, [flag = '', ...line]: readonly string[]): readonly string[] {
  const [program, ...args] = line;
  const isPlain = /^\/c$/i.test(flag) && !line.some((word) => /[&|<>^%!"()\s]/.test(word));
  return program !== undefined && isPlain ? oddInCommand(program, args) : [command, flag];
}

/** A program that nobody knows: a file of the folder, or by its name a server. */
function isServer(command: string, name: string, packages: readonly string[]): boolean {
  const isOfFolder = /^(?:\.[\\/]|\$\{workspaceFolder\}[\\/])/.test(command);
  return (
    !otherRunners.has(name) &&
    (/mcp/i.test(name) ||
      (isOfFolder && !/(?:^|[\\/])\.\.(?:[\\/]|$)/.test(command)) ||
      (packages.length > 0 && (packages.includes(name) || /server/i.test(name))))
  );
}

function isRunner(name: string): boolean {
  return name === 'cmd' || otherRunners.has(name) || Object.hasOwn(runnerGrammars, name);
}

/** Options belong to the server, whatever they are called; a program among its arguments is started by it. */
function isOddArgument(word: string): boolean {
  return !isPlainArgument(word) || (!word.startsWith('-') && isRunner(programName(word)));
}

/** Without folder, ending and version: `python` for `/usr/bin/python3.12`, `npx` for `npx-cli.js`. */
function programName(word: string): string {
  const base = word.split(/[\\/]/).at(-1)?.toLowerCase() ?? '';
  const bare = base.replace(/\.(?:exe|cmd|bat|com|ps1|[cm]?js)$/, '').replace(/-cli$/, '');
  return isRunner(bare) ? bare : bare.replace(/-?\d[\d.]*w?$/, '');
}

/** What a package, image or file is called: `server` for `@scope/server@1.2.3`, `node` for `library/node:20`. */
function targetName(spec: string): string {
  const last = spec.split(/[\\/]/).at(-1) ?? '';
  return programName(/^[^@:=<>~![]*/.exec(last.replace(/^(?:npm|jsr):/, ''))?.[0] ?? '');
}

/** In a scope or namespace names are of its owner: `mcp/git` is not git. */
const inNamespace =
  /^(?!(?:docker\.io\/)?library\/)(?:(?:npm|jsr):)?@?[\w-][\w.:-]*\/(?!.*\.[cm]?js$)/;

class Reading {
  readonly odd: string[] = [];
  private readonly packages: string[] = [];
  private at = 0;

  constructor(
    program: string,
    private readonly grammar: RunnerGrammar,
    private readonly args: readonly string[],
  ) {
    const isEnough = this.read();
    if (!isEnough && this.odd.length === 0) {
      this.odd.push(program);
    }
  }

  /** Whether the words say what runs; else it comes from somewhere else, such as its input. */
  private read(): boolean {
    for (; this.at < this.args.length; this.at++) {
      const word = this.args[this.at] ?? '';
      if (word === '--') {
        this.at++;
        return this.readOperand();
      }
      if (!word.startsWith('-')) {
        return this.readOperand();
      }
      if (this.readOption(word)) {
        this.at++;
        this.readServer(this.args.slice(this.at));
        return true;
      }
    }
    return Object.keys(this.grammar).length === 0;
  }

  /** Whether its value is what runs. Stays at the last word that belongs to it. */
  private readOption(word: string): boolean {
    const { switches, values = {}, targets = {}, packageOptions = [] } = this.grammar;
    if (switches?.test(word)) {
      return false;
    }
    const [, name = word, inline] = /^(-[^=]*)=([\s\S]*)$/.exec(word) ?? [];
    const isTarget = Object.hasOwn(targets, name);
    const check = isTarget ? targets[name] : Object.hasOwn(values, name) ? values[name] : undefined;
    if (!check) {
      this.odd.push(word);
      return false;
    }
    const value = inline ?? this.args[++this.at];
    if (value === undefined || !check(value)) {
      this.odd.push(word, ...(inline === undefined && value !== undefined ? [value] : []));
    }
    if (packageOptions.includes(name)) {
      this.packages.push(targetName(value ?? ''));
    }
    return isTarget;
  }

  private readOperand(): boolean {
    const { verbs = {}, operand, runsPrograms } = this.grammar;
    const [word, ...rest] = this.args.slice(this.at);
    if (word === undefined) {
      return false;
    }
    const verb = Object.hasOwn(verbs, word) ? verbs[word] : undefined;
    if (verb) {
      addAll(this.odd, new Reading(word, verb, rest).odd);
    } else if (this.packages.length > 0 || (runsPrograms && !operand?.(word))) {
      addAll(this.odd, oddInCommand(word, rest, this.packages));
    } else if (!operand?.(word)) {
      this.odd.push(word);
    } else {
      this.readPackage(word, rest);
    }
    return true;
  }

  /** A package or file may be a runner itself. */
  private readPackage(word: string, rest: readonly string[]): void {
    const name = targetName(word);
    if (isRunner(name) && !inNamespace.test(word)) {
      addAll(this.odd, oddInCommand(name, rest));
    } else {
      this.readServer(this.grammar.readsOn ? this.withoutOwn(rest) : rest);
    }
  }

  /** What follows the operand, when the runner reads its own options there, too. */
  private withoutOwn(rest: readonly string[]): readonly string[] {
    const end = rest.indexOf('--');
    const before = end === -1 ? rest : rest.slice(0, end);
    const operands = before.filter((word) => !word.startsWith('-'));
    const options = before.filter((word) => word.startsWith('-'));
    addAll(
      this.odd,
      options.filter((word) => !this.grammar.switches?.test(word)),
    );
    return [...operands, ...(end === -1 ? [] : rest.slice(end + 1))];
  }

  private readServer(args: readonly string[]): void {
    addAll(this.odd, args.filter(isOddArgument));
  }
}
