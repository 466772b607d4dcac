import * as l10n from '@vscode/l10n';
import type { Node } from 'jsonc-parser';
import type {
  ConfigProblem,
  ConfigProblemSeverity,
  McpLifecycle,
  ToolExposure,
  ToolPrefix,
} from '../definition.js';
import { findField } from '../schema/fields.js';
import { type JsonProperty, jsonValueOf, nodeRange, properties } from './jsonDocument.js';

interface ChoiceTypes {
  readonly lifecycle: McpLifecycle;
  readonly exposure: ToolExposure;
  readonly toolPrefix: ToolPrefix;
}

/** Reads typed fields of one entry and collects what is wrong with them. */
export class EntryReader {
  readonly server: string;
  readonly node: Node;
  readonly nameNode: Node;
  private readonly found = new Map</* field name */ string, JsonProperty>();
  private readonly collected: ConfigProblem[] = [];

  constructor(entry: JsonProperty) {
    this.server = entry.name;
    this.node = entry.valueNode;
    this.nameNode = entry.nameNode;
    for (const property of properties(this.node)) {
      const name = findField(property.name)?.name;
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
    const roles = [...this.found.keys()].map((name) => findField(name)?.role);
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
    this.wrongType(name, 'error', l10n.t('a string'));
    return undefined;
  }

  boolean(name: string, severity: ConfigProblemSeverity): boolean | undefined {
    const value = this.value(name);
    if (value === undefined || typeof value === 'boolean') {
      return value;
    }
    this.wrongType(name, severity, l10n.t('true or false'));
    return undefined;
  }

  number(name: string): number | undefined {
    const value = this.value(name);
    const { minimum = 0, maximum } = findField(name) ?? {};
    if (
      value === undefined ||
      (typeof value === 'number' && value >= minimum && value <= (maximum ?? value))
    ) {
      return value;
    }
    const expected =
      maximum === undefined
        ? l10n.t('a number of at least {0}', minimum)
        : l10n.t('a number from {0} to {1}', minimum, maximum);
    this.wrongType(name, 'warning', expected);
    // who wants more than there is gets all there is
    return typeof value === 'number' && maximum !== undefined && value > maximum
      ? maximum
      : undefined;
  }

  /** One of the field's values, else the default with a warning. */
  choice<K extends keyof ChoiceTypes>(name: K): ChoiceTypes[K] | undefined {
    const value = this.value(name);
    if (value === undefined || isAllowed(name, value)) {
      return value as ChoiceTypes[K] | undefined;
    }
    this.unknownValue(name, 'warning');
    return undefined;
  }

  /** Numbers and booleans are taken as their text, with a warning. */
  strings(name: string, severity: ConfigProblemSeverity): readonly string[] | undefined {
    const property = this.found.get(name);
    if (!property) {
      return undefined;
    }
    if (property.valueNode.type !== 'array') {
      this.wrongType(name, severity, l10n.t('an array of strings'));
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
      this.wrongType(name, 'error', l10n.t('an object of strings'));
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
    code: string,
    severity: ConfigProblemSeverity,
    message: string,
    remedy: string,
    place: Node = this.nameNode,
  ): void {
    this.add({ code, severity, message, remedy, range: nodeRange(place), server: this.server });
  }

  add(problem: ConfigProblem): void {
    this.collected.push(problem);
  }

  unknownValue(name: string, severity: ConfigProblemSeverity): void {
    const property = this.found.get(name);
    const allowed = (findField(name)?.values ?? [])
      .map((value) => JSON.stringify(value))
      .join(', ');
    this.report(
      'unknown-value',
      severity,
      l10n.t('Field "{0}" of server {1} has a value that is not known.', name, this.server),
      l10n.t('Use one of {0}.', allowed),
      property?.valueNode,
    );
  }

  wrongType(name: string, severity: ConfigProblemSeverity, expected: string): void {
    const property = this.found.get(name);
    this.report(
      'wrong-type',
      severity,
      l10n.t(
        'Field "{0}" of server {1} must be {2}.',
        property?.name ?? name,
        this.server,
        expected,
      ),
      severity === 'error'
        ? l10n.t('Correct the value.')
        : l10n.t('Correct the value; until then the default is used.'),
      property?.valueNode,
    );
  }

  private text(node: Node, place: string, severity: ConfigProblemSeverity): string[] {
    if (node.type === 'string') {
      return [String(node.value)];
    }
    if (node.type === 'number' || node.type === 'boolean') {
      this.report(
        'not-a-string',
        'warning',
        l10n.t(
          '"{0}" of server {1} is not a string and is passed on as its text.',
          place,
          this.server,
        ),
        l10n.t('Put the value in double quotes.'),
        node,
      );
      return [String(node.value)];
    }
    this.report(
      'wrong-type',
      severity,
      l10n.t('"{0}" of server {1} must be a string.', place, this.server),
      l10n.t('Put the value in double quotes or remove it.'),
      node,
    );
    return [];
  }
}

function isAllowed(name: string, value: unknown): boolean {
  return (findField(name)?.values ?? []).some((allowed) => allowed === value);
}
