/** Calls in the code, as they are written: what they are given, and the texts that it makes. */
import { globSync, readFileSync } from 'node:fs';

export interface TextCall {
  readonly file: string;
  readonly text: string;
  /** As they are written. */
  readonly args: readonly string[];
}

/** Calls of `l10n.t` with arguments, and the templates of the command line, whose sentences are its own. */
export function textCalls(): readonly TextCall[] {
  return globSync('src/**/*.ts').flatMap((path) => {
    const file = path.replaceAll('\\', '/').replace(/^src\//, '');
    const code = readFileSync(path, 'utf8');
    const found = [...textCallsIn(code), ...(file.startsWith('cli/') ? templatesIn(code) : [])];
    return found.map((call) => ({ file, ...call }));
  });
}

/** Templates with words of ours that hold no other template, as calls. */
function templatesIn(code: string): readonly Omit<TextCall, 'file'>[] {
  return [...code.matchAll(/`((?:[^`$\\]|\\.|\$\{[^`{}]*\})*)`/g)].flatMap(([, template = '']) => {
    const args: string[] = [];
    const text = template.replaceAll(/\$\{([^}]*)\}/g, (_whole, argument) => {
      args.push(argument);
      return `{${args.length - 1}}`;
    });
    return args.length > 0 && /[a-z]{2}\W[a-z]{2}/i.test(text) ? [{ text, args }] : [];
  });
}

export function textCallsIn(code: string): readonly Omit<TextCall, 'file'>[] {
  return [...code.matchAll(/\bl10n\.t\(\s*(?=['"])/g)].flatMap(({ 0: start, index }) => {
    const [first = '', ...args] = argumentsAt(code, index + start.length);
    const text = first.slice(1, -1).replaceAll(/\\(['"])/g, '$1');
    return args.length > 0 ? [{ text, args }] : [];
  });
}

/** The arguments of a call that begin there. */
export function argumentsAt(code: string, start: number): readonly string[] {
  const found: string[] = [];
  let depth = 0;
  let from = start;
  const take = (to: number) => {
    const argument = code.slice(from, to).trim();
    found.push(...(argument === '' ? [] : [argument]));
    from = to + 1;
  };
  for (let at = start; at < code.length; at++) {
    const character = code.charAt(at);
    const isPattern = character === '/' && /[(,=:?[!&|{;]\s*$/.test(code.slice(at - 9, at));
    if (/["'`]/.test(character) || isPattern) {
      at = endOfText(code, at);
    } else if (/[([{]/.test(character)) {
      depth++;
    } else if (/[)\]}]/.test(character) && depth-- === 0) {
      take(at);
      return found;
    } else if (character === ',' && depth === 0) {
      take(at);
    }
  }
  return found;
}

function endOfText(code: string, start: number): number {
  for (let at = start + 1; at < code.length; at++) {
    if (code[at] === '\\') {
      at++;
    } else if (code[at] === code[start]) {
      return at;
    }
  }
  return code.length;
}
