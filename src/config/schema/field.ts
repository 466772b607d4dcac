/** What one row of the tables of fields says: the rules for its values. Words for people stand in its guide. */
import type { FieldGuide } from './guide.js';

type FieldType =
  | 'string'
  | 'boolean'
  | 'number'
  | 'strings'
  /** Object of strings. */
  | 'map'
  | 'boolean-or-strings'
  | 'enum-or-strings'
  /** A list where one text is meant is joined with spaces. */
  | 'string-or-strings'
  | 'boolean-or-object'
  | 'enum'
  | 'object'
  /** Objects of `fields` by a name. */
  | 'named-objects'
  | 'any';

/**
 * `launch`: decides what runs; a wrong value makes the entry invalid. `switch`: how the server is used; a wrong value
 * costs itself, and an entry of switches only overrides a lower one. `foreign`: other programs read it, we do not.
 */
type FieldRole = 'launch' | 'switch' | 'foreign';

export interface ConfigField {
  readonly name: string;
  readonly type: FieldType;
  readonly kind: 'stdio' | 'http' | 'both';
  readonly role: FieldRole;
  /** What leaving the field out means; written values equal to it can be removed. */
  readonly defaultValue?: unknown;
  /** For `enum`, and suggestions for others. */
  readonly values?: readonly (string | boolean)[];
  /** Smallest number. Default 0. */
  readonly minimum?: number;
  /** Largest number. */
  readonly maximum?: number;
  readonly isInteger?: boolean;
  /** Of an `object`, a `boolean-or-object` or each of `named-objects`. */
  readonly fields?: readonly ConfigField[];
  /** The object is of no use without it. */
  readonly isRequired?: boolean;
  /** The value, or every value of the map, is a secret. */
  readonly isSecret: boolean;
  /** Other names under which the same value is accepted. */
  readonly aliases: readonly string[];
  /** The `settings` of a file may hold it, for the entries that leave it out. */
  readonly isSetting?: boolean;
  /** What leaving out that setting means. Default: `defaultValue`. */
  readonly settingDefault?: unknown;
  /** Guards the user: a project file cannot set it. */
  readonly isSafety?: boolean;
  /** Kind of server for which a form offers it. Default: `kind`. */
  readonly showsFor?: 'stdio' | 'http';
  /** Fields beside which it has nothing to say: an editor does not offer it there. */
  readonly excludedBy?: readonly string[];
  /** The field through which a form shows and sets it. */
  readonly shownBy?: string;
  /** A file of a folder may write this value alone. Default: any. */
  readonly folderValue?: unknown;
  /** It says something to people alone. */
  readonly isDescriptive?: boolean;
  /** A text of more than one line. */
  readonly isLong?: boolean;
  /** Where its guide stands in the table of these. Default: its name. */
  readonly guideId?: string;
  /** Its guide where the table has none, because whoever reads a file says the same. */
  readonly guide?: FieldGuide;
}

/** Default: a switch for servers of both kinds. */
export type FieldRules = Partial<Omit<ConfigField, 'name' | 'type'>>;

export function field(name: string, type: FieldType, rules: FieldRules = {}): ConfigField {
  return {
    name,
    type,
    kind: 'both',
    role: 'switch',
    isSecret: false,
    aliases: [],
    ...rules,
  };
}

// they decide together whether a server is on, and are no options of a server that is
const enablement = ['enabled', 'disabled'];

/** Fields by name and alias, and what follows from all of them. */
export class FieldTable {
  private readonly byName: ReadonlyMap</* name or alias */ string, ConfigField>;

  /** @param fields in the order in which an editor should offer them. */
  constructor(readonly fields: readonly ConfigField[]) {
    this.byName = new Map(
      fields.flatMap((item) => [item.name, ...item.aliases].map((name) => [name, item] as const)),
    );
  }

  /** The field that a property stands for, by its name or an alias. */
  find(name: string): ConfigField | undefined {
    return this.byName.get(name);
  }

  /** How a server is used once it may run. */
  get options(): readonly ConfigField[] {
    return this.fields.filter(({ role, name }) => role === 'switch' && !enablement.includes(name));
  }

  /** Names under which secrets stand, aliases included. */
  get secretNames(): readonly string[] {
    return this.fields
      .filter(({ isSecret }) => isSecret)
      .flatMap(({ name, aliases }) => [name, ...aliases]);
  }

  /** @throws when the field has no default. */
  defaultOf<T>(name: string): T {
    const value = this.find(name)?.defaultValue;
    if (value === undefined) {
      throw new Error(`The field ${name} has no default`);
    }
    return value as T;
  }
}

/** The name under which an object holds a field; the field's own when it does not. */
export function nameInUse(object: object, { name, aliases }: ConfigField): string {
  return [name, ...aliases].find((candidate) => Object.hasOwn(object, candidate)) ?? name;
}
