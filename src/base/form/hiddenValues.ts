/** Words that stand for secrets in a text that is shown and edited. */
import { mapTexts } from '../json.js';

/** The page's JSON has no such text by chance. */
const wordPattern = /^‹hidden (\d{1,4})›$/;

export class HiddenValues {
  private readonly values: unknown[] = [];

  get count(): number {
    return this.values.length;
  }

  /** @returns what stands for the value from now on */
  readonly hide = (value: unknown): string => `‹hidden ${this.values.push(value)}›`;

  /** The value with what was hidden back in its place, wherever that is by now. The nesting must be bounded. */
  reveal(value: unknown): unknown {
    return mapTexts(value, (text) => {
      const index = Number(wordPattern.exec(text)?.[1] ?? 0) - 1;
      return index in this.values ? this.values[index] : text;
    });
  }
}
