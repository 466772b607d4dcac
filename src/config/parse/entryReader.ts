import * as l10n from '@vscode/l10n';
import type { Node } from 'jsonc-parser';
import type { ProblemCode } from '../../base/errorCodes.js';
import { nameToken } from '../../base/text/nameToken.js';
import type { ConfigProblem, ConfigProblemSeverity, TextRange } from '../definition.js';
import { type ConfigField, FieldTable } from '../schema/field.js';
import { entryFields } from '../schema/fields.js';
import { cappedNumber, expectedText, readFieldValue } from '../schema/fieldValue.js';
import { mustBe, ofServer } from '../sentences.js';
import { type JsonProperty, jsonValueOf, nodeRange, properties } from './jsonDocument.js';

/** Reads typed fields of one entry and collects what is wrong with them. */
export class EntryReader {
  readonly server: string;
  readonly node: Node;
  readonly nameNode: Node;
  private readonly found = new Map</* field name */ string, JsonProperty>();
  private readonly collected: ConfigProblem[] = [];
  /** What counts only in files of the user. */
  readonly ofUser: { readonly place: string; readonly range: TextRange }[] = [];

  constructor(
    entry: JsonProperty,
    readonly fields: FieldTable = entryFields,
  ) {
    this.server = entry.name;
    this.node = entry.valueNode;
    this.nameNode = entry.nameNode;
    for (const property of properties(this.node)) {
      const name = fields.find(property.name)?.name;
      // the field's own name wins over an alias, whatever their order
      if (name && (name === property.name || this.found.get(name)?.name !== name)) {
        this.found.set(name, property);
      }
    }
  }

  get problems(): readonly ConfigProblem[] {
    return this.collected;
  }

  get hasErrors(): boolean {
    return this.collected.some((problem) => problem.severity === 'error');
  }

  /** At least one switch and nothing that decides what runs. */
  get isOverridesOnly(): boolean {
    const roles = [...this.found.keys()].map((name) => this.fields.find(name)?.role);
    return roles.includes('switch') && !roles.includes('launch');
  }

  has(name: string): boolean {
    return this.found.has(name);
  }

  get(name: string): JsonProperty | undefined {
    return this.found.get(name);
  }

  value(name: string): unknown {
    const property = this.found.get(name);
    return property && jsonValueOf(property.valueNode);
  }

  string(name: string): string | undefined {
    const value = this.value(name);
    if (value === undefined || typeof value === 'string') {
      return value;
    }
    this.wrongType(name, 'error', 'string');
    return undefined;
  }

  boolean(name: string, severity: ConfigProblemSeverity): boolean | undefined {
    const value = this.value(name);
    if (value === undefined || typeof value === 'boolean') {
      return value;
    }
    this.wrongType(name, severity, 'true | false');
    return undefined;
  }

  /** The value of a switch; what does not fit costs itself, with a warning. */
  option(field: ConfigField): unknown {
    const { name, type } = field;
    if (type === 'named-objects') {
      return this.namedObjects(field);
    }
    const value = this.value(name);
    if (value === undefined || readFieldValue(field, value) !== undefined) {
      return value;
    }
    if (type === 'enum') {
      this.unknownValue(name, 'warning');
      return undefined;
    }
    const isList = type === 'enum-or-strings' && Array.isArray(value);
    if (isList || type === 'strings' || type === 'boolean-or-strings') {
      return this.strings(name, 'warning');
    }
    this.wrongType(name, 'warning', expectedText(field));
    return cappedNumber(field, value);
  }

  /** What does not fit costs itself; what no file of a folder may say is noted in {@link ofUser}. */
  private namedObjects({ name, fields = [] }: ConfigField): unknown {
    const property = this.found.get(name);
    if (property && property.valueNode.type !== 'object') {
      this.wrongType(name, 'warning', '{ … }');
    }
    const known = new FieldTable(fields);
    const objects = (property ? properties(property.valueNode) : []).flatMap((item) => {
      const place = `${name}.${item.name}`;
      if (item.valueNode.type !== 'object') {
        this.unfit(place, '{ … }', item.valueNode, 'warning', 'wrong-type', place);
        return [];
      }
      const values = properties(item.valueNode).flatMap((inner) =>
        this.namedValue(known.find(inner.name), `${place}.${inner.name}`, inner),
      );
      return [[item.name, Object.fromEntries(values)] as const];
    });
    return property && Object.fromEntries(objects);
  }

  private namedValue(
    field: ConfigField | undefined,
    place: string,
    { name, nameNode, valueNode }: JsonProperty,
  ): readonly (readonly [string, unknown])[] {
    if (!field) {
      this.unknownField(place, nameNode);
      return [];
    }
    const value = readFieldValue(field, jsonValueOf(valueNode));
    if (value === undefined) {
      this.unfit(place, expectedText(field), valueNode, 'warning', 'wrong-type', place);
      return [];
    }
    if (field.folderValue === undefined || field.folderValue !== value) {
      this.ofUser.push({ place, range: nodeRange(nameNode) });
    }
    return [[name, value]];
  }

  /** Numbers and booleans are taken as their text, with a warning. */
  strings(name: string, severity: ConfigProblemSeverity): readonly string[] | undefined {
    const property = this.found.get(name);
    if (!property) {
      return undefined;
    }
    if (property.valueNode.type !== 'array') {
      this.wrongType(name, severity, 'string[]');
      return undefined;
    }
    const items = property.valueNode.children ?? [];
    return items.flatMap((item, index) => this.text(item, `${property.name}[${index}]`, severity));
  }

  /** Numbers and booleans are taken as their text, `null` is left out, both with a warning. */
  map(name: string): Readonly<Record<string, string>> {
    const property = this.found.get(name);
    if (!property) {
      return {};
    }
    if (property.valueNode.type !== 'object') {
      this.wrongType(name, 'error', '{ "…": string }');
      return {};
    }
    return Object.fromEntries(
      properties(property.valueNode).flatMap((item) =>
        this.text(item.valueNode, `${property.name}.${item.name}`, 'error').map(
          (text) => [item.name, text] as const,
        ),
      ),
    );
  }

  report(
    code: ProblemCode,
    severity: ConfigProblemSeverity,
    message: string,
    remedy: string,
    place: Node = this.nameNode,
    field?: string,
  ): void {
    this.add({
      code,
      severity,
      message,
      remedy,
      range: nodeRange(place),
      server: this.server,
      field,
    });
  }

  add(problem: ConfigProblem): void {
    this.collected.push(problem);
  }

  unknownField(place: string, node: Node): void {
    this.report(
      'unknown-field',
      'info',
      ofServer(this.server, l10n.t('"{0}" is not known.', nameToken(place))),
      l10n.t('Check the spelling.'),
      node,
    );
  }

  uselessField(
    code: ProblemCode,
    severity: ConfigProblemSeverity,
    name: string,
    node: Node | undefined,
    remedy = l10n.t('Remove it.'),
  ): void {
    const message = ofServer(this.server, l10n.t('"{0}" has no effect here.', nameToken(name)));
    this.report(code, severity, message, remedy, node);
  }

  unknownValue(name: string, severity: ConfigProblemSeverity): void {
    const field = this.fields.find(name);
    const expected = field ? expectedText(field) : '';
    this.unfit(name, expected, this.found.get(name)?.valueNode, severity, 'unknown-value', name);
  }

  wrongType(name: string, severity: ConfigProblemSeverity, expected: string): void {
    const property = this.found.get(name);
    const shown = property?.name ?? name;
    this.unfit(shown, expected, property?.valueNode, severity, 'wrong-type', name);
  }

  unfit(
    shown: string,
    expected: string,
    node: Node | undefined,
    severity: ConfigProblemSeverity,
    code: ProblemCode,
    field?: string,
  ): void {
    this.report(
      code,
      severity,
      ofServer(this.server, mustBe(shown, expected)),
      l10n.t('Correct the value.'),
      node,
      field,
    );
  }

  private text(node: Node, place: string, severity: ConfigProblemSeverity): string[] {
    if (node.type === 'string') {
      return [String(node.value)];
    }
    const isText = node.type === 'number' || node.type === 'boolean';
    this.report(
      isText ? 'not-a-string' : 'wrong-type',
      isText ? 'warning' : severity,
      ofServer(this.server, mustBe(place, 'string')),
      l10n.t('Put the value in double quotes.'),
      node,
    );
    if (isText) {
      return [String(node.value)];
    }
    return [];
  }
}
