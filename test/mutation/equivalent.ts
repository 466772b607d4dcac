/** Mutants that mean the same as the source, by what they are: they do not count. */
export interface Equivalent {
  readonly file: string;
  /** The text of its line, without the space around. */
  readonly line: string;
  readonly kind: string;
  /** What is another one. Default: whatever of this kind the line has. */
  readonly was?: string;
  readonly why: string;
}

export const equivalents: readonly Equivalent[] = [
  {
    file: 'src/base/form/fieldModel.ts',
    line: "const reference = isJsonObject(branch) && typeof branch.$ref === 'string' ? branch.$ref : '';",
    kind: 'some text',
    why: 'any text that is no reference into the definitions is as good as none',
  },
  {
    file: 'src/base/form/fieldDraft.ts',
    line: "this.text = field.options[this.chosen]?.label ?? '';",
    kind: 'some text',
    why: 'it is written after canHold has found the option',
  },
  {
    file: 'src/base/form/fieldDraft.ts',
    line: "const row = this.rowFor('') ?? { name: '', draft: this.child(otherField('')) };",
    kind: 'some text',
    why: 'the name of an item is not used',
  },
  {
    file: 'src/base/form/fieldDraft.ts',
    line: "} else if (draft.state === 'absent' && index < last && !isRow && !draft.field.isRequired) {",
    kind: '< is <=',
    why: 'the last one that is not absent is not absent',
  },
  {
    file: 'src/gateway/http/body.ts',
    line: 'return Promise.resolve(undefined);',
    kind: 'nothing returned',
    why: 'who calls waits for the result, and nothing is what it resolves to',
  },
  {
    file: 'src/gateway/http/httpDoor.ts',
    line: "return this.request.method ?? '';",
    kind: 'some text',
    why: 'a request that a server of Node receives has a method',
  },
  {
    file: 'src/gateway/http/guards.ts',
    line: "const name = rawHeaders[index]?.toLowerCase() ?? '';",
    kind: 'some text',
    why: 'the loop ends before the list does',
  },
  {
    file: 'src/gateway/http/guards.ts',
    line: "const value = rawHeaders[index + 1] ?? '';",
    kind: 'some text',
    why: 'the loop ends before the list does',
  },
];
