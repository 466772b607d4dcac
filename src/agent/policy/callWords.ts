/** Reads what a call is about from its arguments. */
import { isJsonObject, type JsonObject, parseJson } from '../../base/json.js';
import { showHidden, showHiddenInLine } from '../../base/text/showHidden.js';
import type { CallWords, TitleOfCall } from '../../protocol/callWords.js';

/** Characters of JSON up to which values are shown. */
const maxLength = 20_000;
const maxValues = 40;

/**
 * `undefined` for what is better read as JSON: calls of other tools, and arguments that are odd, many or long.
 * Nothing in the texts hides or turns others.
 */
export function callWords(tool: string, args: unknown, isOfServer: boolean): CallWords | undefined {
  if (!isJsonObject(args) || JSON.stringify(args).length > maxLength) {
    return undefined;
  }
  return isOfServer ? valuesOf(args) : builtInWords(tool, args);
}

function valuesOf(args: JsonObject): CallWords | undefined {
  const values = Object.entries(args).map(([name, value]) => ({
    name: showHidden(name),
    text: showHidden(isPlainText(value) ? value : JSON.stringify(value, undefined, 2)),
  }));
  return values.length > 0 && values.length <= maxValues ? { kind: 'values', values } : undefined;
}

/** Nobody takes it for a number, for nothing, or for another text. */
function isPlainText(value: unknown): value is string {
  const isText = typeof value === 'string' && value !== '' && value.trim() === value;
  return isText && parseJson(value) === undefined;
}

function builtInWords(tool: string, args: JsonObject): CallWords | undefined {
  if (tool === 'todo' && Array.isArray(args.steps)) {
    const done = args.steps.filter((step: unknown) => isJsonObject(step) && step.state === 'done');
    return { kind: 'steps', done: done.length, of: args.steps.length };
  }
  const said = new SaidArguments(args);
  if (tool === 'present_plan') {
    const title = said.name('title');
    // the card says it all, and so does the result
    return title === undefined ? undefined : { kind: 'plan', title };
  }
  const words = titleOf(tool, said);
  return words && (said.areAll ? words : { ...words, isPart: true });
}

function titleOf(tool: string, said: SaidArguments): TitleOfCall | undefined {
  switch (tool) {
    case 'bash':
    case 'powershell':
      return commandWords(said);
    case 'read':
      return readWords(said);
    case 'ls':
      return { kind: 'list', path: said.name('path') ?? '.' };
    case 'grep':
    case 'find': {
      const pattern = said.name('pattern');
      const path = said.name('path');
      return pattern === undefined ? undefined : { kind: tool, pattern, path };
    }
    case 'ToolSearch': {
      const query = said.name('query');
      return query === undefined ? undefined : { kind: 'tools', query };
    }
    default:
      return undefined;
  }
}

function commandWords(said: SaidArguments): TitleOfCall | undefined {
  const command = said.text('command');
  const timeout = said.number('timeout');
  return command === undefined ? undefined : { kind: 'command', command, timeout };
}

function readWords(said: SaidArguments): TitleOfCall | undefined {
  const path = said.name('path');
  if (path === undefined) {
    return undefined;
  }
  const limit = said.number('limit');
  const from = said.number('offset') ?? (limit === undefined ? undefined : 1);
  const to = from === undefined || limit === undefined ? undefined : from + limit - 1;
  const lines = from === undefined ? undefined : { from, to };
  return { kind: 'read', path, lines };
}

/** Arguments, and which of them were asked for and are what they should be. */
class SaidArguments {
  private readonly said = new Set<string>();

  constructor(private readonly args: JsonObject) {}

  get areAll(): boolean {
    return Object.keys(this.args).every((name) => this.said.has(name));
  }

  text(name: string, show = showHidden): string | undefined {
    const value = this.args[name];
    if (typeof value !== 'string' || value === '') {
      return undefined;
    }
    this.said.add(name);
    return show(value);
  }

  name(name: string): string | undefined {
    return this.text(name, showHiddenInLine);
  }

  number(name: string): number | undefined {
    const value = this.args[name];
    if (typeof value !== 'number' || !Number.isFinite(value)) {
      return undefined;
    }
    this.said.add(name);
    return value;
  }
}
