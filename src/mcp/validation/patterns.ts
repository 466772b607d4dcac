/**
 * Judges the patterns that servers send, in time linear to the text: `RegExp` needs exponential time for some.
 */
import { RE2JS } from 're2js';

/** Characters. Compiling takes up to a tenth of a millisecond for each. */
const maxPatternLength = 500;

export interface CompiledPattern {
  /** Steps of its program: the time of a match grows with this and with the text. */
  readonly size: number;
  matches(text: string): boolean;
}

export type CompilePattern = (source: string) => CompiledPattern | undefined;

/** `undefined` for what cannot be judged: look-around, back references, too much of it, or no pattern at all. */
export function compilePattern(source: string): CompiledPattern | undefined {
  if (source.length > maxPatternLength) {
    return undefined;
  }
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(source));
    return {
      size: compiled.programSize(),
      matches: (text) => compiled.matcher(text).find(),
    };
  } catch {
    // not of the language that can be judged
    return undefined;
  }
}
