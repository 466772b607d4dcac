/** What is tried with a function that takes text apart. */
export interface Parser {
  readonly name: string;
  readonly run: (text: string) => unknown;
  /** What stands around the hostile part, beside nothing. */
  readonly frames?: readonly (readonly [before: string, after: string])[];
  /** Hostile inputs of its own. */
  readonly inputs?: Readonly<Record<string, (size: number) => string>>;
  /** Default 65,536 characters. */
  readonly maxSize?: number;
  /** Of the inputs of its own. Default: as for the others. */
  readonly maxOwnSize?: number;
}

export const repeated = (unit: (index: number) => string) => (size: number) => {
  const parts: string[] = [];
  for (let length = 0, index = 0; length < size; index++) {
    const part = unit(index);
    parts.push(part);
    length += part.length;
  }
  return parts.join('');
};
