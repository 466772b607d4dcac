/** The fields of a form, read from a JSON Schema. Every text in them is the claim of who wrote the schema. */

export interface FieldOption {
  readonly value: unknown;
  readonly label: string;
}

interface FieldBase {
  /** Of the property; empty for the root, items and branches. */
  readonly name: string;
  readonly title: string;
  readonly description?: string;
  readonly isRequired: boolean;
  /** `null` is a value, which is not the same as no value. */
  readonly isNullable?: true;
  /** What the field begins with; it fits the kind. */
  readonly defaultValue?: unknown;
  readonly examples?: readonly unknown[];
  readonly isReadOnly?: true;
  readonly isDeprecated?: true;
  /** Its values are not to be kept or shown. */
  readonly isSecret?: true;
  /** Name of the header in which an HTTP server gets the value as well. */
  readonly header?: string;
}

export type TextField = FieldBase & {
  readonly kind: 'text';
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  /** Base64 of bytes. */
  readonly isBinary?: true;
};

export type NumberField = FieldBase & {
  readonly kind: 'number';
  readonly isInteger: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
};

export type BooleanField = FieldBase & { readonly kind: 'boolean' };

/** One of some values, which are told apart by their index: two may look alike. */
export type ChoiceField = FieldBase & {
  readonly kind: 'choice';
  readonly options: readonly FieldOption[];
};

export type ChoicesField = FieldBase & {
  readonly kind: 'choices';
  readonly options: readonly FieldOption[];
  readonly minItems?: number;
  readonly maxItems?: number;
};

type FixedField = FieldBase & { readonly kind: 'fixed'; readonly value: unknown };

export type ObjectField = FieldBase & {
  readonly kind: 'object';
  /** Read when they are first asked for: a schema may refer to itself. */
  readonly properties: () => readonly Field[];
  /** Of properties that have no name of their own; `undefined`: there should be none. */
  readonly others: ((name: string) => Field) | undefined;
  /** The schema speaks of other properties by itself. */
  readonly invitesOthers: boolean;
};

/** Lists, also those whose first items have schemas of their own. */
export type ArrayField = FieldBase & {
  readonly kind: 'array';
  readonly leading: () => readonly Field[];
  /** Of the items behind those; `undefined`: there should be none. */
  readonly item: (() => Field) | undefined;
};

export interface FieldBranch {
  /** Empty when the schema has no words for it. */
  readonly label: string;
  readonly field: () => Field;
}

type UnionField = FieldBase & {
  readonly kind: 'union';
  readonly branches: readonly FieldBranch[];
};

/** A value of any other shape, written as JSON. */
type JsonField = FieldBase & { readonly kind: 'json' };

export type Field =
  | TextField
  | NumberField
  | BooleanField
  | ChoiceField
  | ChoicesField
  | FixedField
  | ObjectField
  | ArrayField
  | UnionField
  | JsonField;
