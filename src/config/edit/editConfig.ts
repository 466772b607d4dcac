/** What callers do to configuration files, as pure functions from text to text. */

import * as l10n from '@vscode/l10n';
import type { Node } from 'jsonc-parser';
import { HumanError } from '../../base/errors.js';
import { isJsonObject, type JsonObject } from '../../base/json.js';
import type { ImportSource } from '../definition.js';
import { serverUnknown } from '../errors.js';
import type { ConfigFileLocation } from '../parse/configLocations.js';
import type { ConfigPath, ParsedConfigFile, ParsedEntry } from '../parse/configTypes.js';
import {
  findProperty,
  jsonValueOf,
  parseJsonDocument,
  stripByteOrderMark,
} from '../parse/jsonDocument.js';
import { parseLocation } from '../parse/parseLocation.js';
import { nameInUse } from '../schema/field.js';
import { configFields, findField } from '../schema/fields.js';
import { truncationSetting } from '../schema/settings.js';
import { removeJsonProperty, renameJsonProperty, setJsonValue } from './jsonEdit.js';

/** Problems of a file in which the place of an edit would be a guess. */
const unwritableCodes = new Set([
  'syntax',
  'not-an-object',
  'servers-not-object',
  'duplicate-block',
]);

/** `null` or `undefined` removes a field, a field that is left out stays. */
export type EntryChange = JsonObject;

/** Text of a configuration file together with what it means; every edit gives a new one. */
export class EditableConfig {
  readonly parsed: ParsedConfigFile;

  /** @throws {HumanError} when the text has a syntax error: such a file is never written. */
  constructor(
    readonly text: string,
    readonly location: ConfigFileLocation,
  ) {
    this.parsed = parseLocation(text, location);
    const problem = this.parsed.problems.find(({ code }) => unwritableCodes.has(code));
    if (problem) {
      throw new HumanError('config_broken', problem.message, {
        remedy: l10n.t('Correct the file in an editor, then try again.'),
      });
    }
  }

  entry(name: string): ParsedEntry | undefined {
    return this.parsed.entries.find((entry) => entry.name === name);
  }

  /** @throws {HumanError} when the name is taken or empty. */
  addServer(name: string, entry: JsonObject): EditableConfig {
    this.assertFree(name);
    const content = withoutDefaults(
      Object.entries(entry).filter(([, value]) => value !== null && value !== undefined),
    );
    return this.set([...this.blockPath(), name], content);
  }

  /** @throws {HumanError} when there is no such server or the new name is taken. */
  changeServer(name: string, change: EntryChange, newName = name): EditableConfig {
    const { path, kind } = this.existing(name);
    const edited = Object.entries(fittingChange(change, kind)).reduce<EditableConfig>(
      (config, [field, value]) => config.changeField(name, field, value),
      this,
    );
    if (newName === name) {
      return edited;
    }
    edited.assertFree(newName);
    return edited.with((text) => renameJsonProperty(text, path, newName));
  }

  removeServer(name: string): EditableConfig {
    const { path } = this.existing(name);
    return this.with((text) => removeJsonProperty(text, path));
  }

  /** Switches a server of this file; on is written as nothing at all. An entry left empty is removed. */
  setEnabled(name: string, isEnabled: boolean): EditableConfig {
    const { path } = this.existing(name);
    const withoutSwitches = this.with((text) =>
      removeJsonProperty(removeJsonProperty(text, [...path, 'enabled']), [...path, 'disabled']),
    );
    if (!isEnabled) {
      return this.set([...path, 'enabled'], false).with((text) =>
        removeJsonProperty(text, [...path, 'disabled']),
      );
    }
    const { raw } = withoutSwitches.existing(name);
    return raw && Object.keys(raw).length === 0 ? this.removeServer(name) : withoutSwitches;
  }

  /** Adds switches for a server that another file declares. */
  override(name: string, switches: JsonObject): EditableConfig {
    return this.set([...this.blockPath(), name], switches);
  }

  /** Names that are there already, known to us or not, stay. */
  addImports(sources: readonly ImportSource[]): EditableConfig {
    const value = jsonValueAt(parseJsonDocument(this.text).root, 'imports');
    const present: readonly unknown[] = Array.isArray(value) ? value : [];
    const added = sources.filter((source) => !present.includes(source));
    return added.length === 0 ? this : this.set(['imports'], [...present, ...added]);
  }

  /** @param isLowerDisabled a file of lower precedence sets the switch: then off must be written out. */
  setMasterDisabled(isDisabled: boolean, isLowerDisabled = false): EditableConfig {
    return isDisabled || isLowerDisabled
      ? this.set(['disabled'], isDisabled)
      : this.with((text) => removeJsonProperty(text, ['disabled']));
  }

  /** As the file holds them, those of the wrong kind too; `truncation` may also stand beside them. */
  get settings(): JsonObject {
    const { root } = parseJsonDocument(this.text);
    const block: unknown = jsonValueAt(root, 'settings');
    const truncation: unknown = jsonValueAt(root, truncationSetting.name);
    return {
      ...(isJsonObject(truncation) ? { [truncationSetting.name]: truncation } : {}),
      ...(isJsonObject(block) ? block : {}),
    };
  }

  /** `undefined` removes a setting, and with the last one their object. */
  changeSettings(change: JsonObject): EditableConfig {
    this.assertSettings();
    const edited = Object.entries(change).reduce<EditableConfig>((config, [name, value]) => {
      const path = config.settingPath(name);
      return value === undefined
        ? config.with((text) => removeJsonProperty(text, path))
        : config.set(path, value);
    }, this);
    const block: unknown = jsonValueAt(parseJsonDocument(edited.text).root, 'settings');
    return isJsonObject(block) && Object.keys(block).length === 0
      ? edited.with((text) => removeJsonProperty(text, ['settings']))
      : edited;
  }

  /** A server may be called `settings`, and then there are none. */
  private assertSettings(): void {
    const block: unknown = jsonValueAt(parseJsonDocument(this.text).root, 'settings');
    const isServer = this.parsed.entries.some(({ path }) => path.join() === 'settings');
    if (isServer || (block !== undefined && !isJsonObject(block))) {
      throw new HumanError(
        'settings_unusable',
        l10n.t('"settings" of {0} is not an object of settings.', this.location.path),
        { remedy: l10n.t('Correct the file in an editor, then try again.') },
      );
    }
  }

  private settingPath(name: string): ConfigPath {
    const { root } = parseJsonDocument(this.text);
    const block: unknown = jsonValueAt(root, 'settings');
    const isInBlock = isJsonObject(block) && Object.hasOwn(block, name);
    const isBeside =
      name === truncationSetting.name && isJsonObject(jsonValueAt(root, name)) && !isInBlock;
    return isBeside ? [name] : ['settings', name];
  }

  /** Adds an empty list of servers to a file that holds none. */
  ensureServers(): EditableConfig {
    return this.parsed.shape === 'empty' && !hasBlock(this.text)
      ? this.set(['mcpServers'], {})
      : this;
  }

  private changeField(name: string, field: string, value: unknown): EditableConfig {
    const { path, raw } = this.existing(name);
    const written = this.nameInUse(raw, field);
    const isGone = value === null || value === undefined || isDefaultValue(field, value);
    return isGone
      ? this.with((text) => removeJsonProperty(text, [...path, written]))
      : this.set([...path, written], value);
  }

  /** A field may stand in the file under an alias. */
  private nameInUse(raw: JsonObject | undefined, name: string): string {
    const field = findField(name);
    return raw && field && !Object.hasOwn(raw, name) ? nameInUse(raw, field) : name;
  }

  private existing(name: string): ParsedEntry {
    const entry = this.entry(name);
    if (!entry) {
      throw serverUnknown(name);
    }
    const repeated = entry.problems.find(({ code }) => code.startsWith('duplicate-'));
    if (repeated) {
      throw new HumanError(repeated.code, `${this.location.path}: ${repeated.message}`, {
        remedy: repeated.remedy,
      });
    }
    return entry;
  }

  private assertFree(name: string): void {
    if (name.trim() === '') {
      throw new HumanError('server_name_empty', l10n.t('The server has no name.'), {
        remedy: l10n.t('Enter a name.'),
      });
    }
    if (this.entry(name)) {
      throw new HumanError(
        'server_name_taken',
        l10n.t('{0} already has a server {1}.', this.location.path, name),
        { remedy: l10n.t('Choose another name.') },
      );
    }
  }

  private blockPath(): ConfigPath {
    const [first] = this.parsed.entries;
    if (first) {
      return first.path.slice(0, -1);
    }
    if (this.location.isForeignFile) {
      return ['mcp'];
    }
    return [
      this.parsed.shape === 'empty' || this.parsed.shape === 'bare'
        ? 'mcpServers'
        : this.parsed.shape,
    ];
  }

  private set(path: ConfigPath, value: unknown): EditableConfig {
    return this.with((text) => setJsonValue(text, path, value));
  }

  private with(edit: (text: string) => string): EditableConfig {
    const content = stripByteOrderMark(this.text);
    const mark = this.text.slice(0, this.text.length - content.length);
    return new EditableConfig(mark + edit(content), this.location);
  }
}

function jsonValueAt(root: Node | undefined, name: string): unknown {
  const property = findProperty(root, name);
  return property && jsonValueOf(property.valueNode);
}

function hasBlock(text: string): boolean {
  return stripByteOrderMark(text).includes('"mcpServers"');
}

/** A server that becomes the other kind keeps no fields that only its former kind reads. */
function fittingChange(change: EntryChange, current: ParsedEntry['kind']): EntryChange {
  const kind = kindOf(change);
  if (!kind || kind === current) {
    return change;
  }
  const gone = configFields.filter((field) => field.kind !== 'both' && field.kind !== kind);
  const names = [...gone.map((field) => field.name), 'type', 'transport'];
  return { ...Object.fromEntries(names.map((name) => [name, null])), ...change };
}

function kindOf(change: EntryChange): 'stdio' | 'http' | undefined {
  const hasCommand = change.command !== undefined && change.command !== null;
  const hasUrl = change.url !== undefined && change.url !== null;
  if (hasCommand === hasUrl) {
    return undefined;
  }
  return hasCommand ? 'stdio' : 'http';
}

function withoutDefaults(fields: readonly (readonly [string, unknown])[]): JsonObject {
  return Object.fromEntries(fields.filter(([name, value]) => !isDefaultValue(name, value)));
}

function isDefaultValue(name: string, value: unknown): boolean {
  const field = findField(name);
  return (
    field?.defaultValue !== undefined &&
    // what a file may set for all of its servers means something else when it is left out
    !field.isSetting &&
    JSON.stringify(field.defaultValue) === JSON.stringify(value)
  );
}
