/** What callers do to configuration files, as pure functions from text to text. */
import * as l10n from '@vscode/l10n';
import type { Node } from 'jsonc-parser';
import { HumanError } from '../../base/errors.js';
import { isJsonObject, type JsonObject, stableStringify } from '../../base/json.js';
import { quotedName } from '../../base/text/nameToken.js';
import type { ImportSource } from '../definition.js';
import { serverUnknown } from '../errors.js';
import type { ConfigFileLocation } from '../parse/configLocations.js';
import type { ConfigPath, ParsedConfigFile, ParsedEntry } from '../parse/configTypes.js';
import {
  findProperty,
  jsonValueOf,
  parseWholeDocument,
  stripByteOrderMark,
} from '../parse/jsonDocument.js';
import { parseOwnFile } from '../parse/parseConfig.js';
import { transportOfType } from '../parse/parseLaunch.js';
import { nameInUse } from '../schema/field.js';
import { configFields, findField } from '../schema/fields.js';
import { truncationSetting } from '../schema/settings.js';
import { mustBe } from '../sentences.js';
import { removeJsonProperty, renameJsonProperty, setJsonValue } from './jsonEdit.js';

/** Problems of a file in which the place of an edit would be a guess. */
const unwritableCodes = new Set([
  'syntax',
  'not-an-object',
  'servers-not-object',
  'duplicate-block',
]);

const switchNames = ['disabled', 'enabled'] as const;

/** `null` or `undefined` removes a field, a field that is left out stays. */
export type FileEntryChange = JsonObject;

/** Text of a configuration file together with what it means; every edit gives a new one. */
export class EditableConfig {
  readonly parsed: ParsedConfigFile;

  /** @throws {HumanError} when the text has a syntax error: such a file is never written. */
  constructor(
    readonly text: string,
    readonly location: ConfigFileLocation,
  ) {
    this.parsed = parseOwnFile(text, location);
    const problem = this.parsed.problems.find(({ code }) => unwritableCodes.has(code));
    if (problem) {
      throw new HumanError('config_broken', problem.message, {
        remedy: l10n.t('Correct the file, then try again.'),
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
      Object.fromEntries(
        Object.entries(entry).filter(([, value]) => value !== null && value !== undefined),
      ),
    );
    return this.set([...this.blockPath(), name], content);
  }

  /** @throws {HumanError} when there is no such server or the new name is taken. */
  changeServer(name: string, change: FileEntryChange, newName = name): EditableConfig {
    const { path, kind, enabled: wasEnabled = true } = this.existing(name);
    const { enabled, disabled, ...fields } = change;
    let edited = Object.entries(fittingChange(fields, kind)).reduce<EditableConfig>(
      (config, [field, value]) => config.changeField(name, field, value),
      this,
    );
    const isSwitched = switchNames.some((field) => Object.hasOwn(change, field));
    const isEnabled = enabled !== false && disabled !== true;
    if (isSwitched && isEnabled !== wasEnabled) {
      edited = edited.setEnabled(name, isEnabled);
    }
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

  /**
   * Flips the switch that stands there. A new one is called as in the entries beside it; on takes `enabled` away where
   * a new one would stand. An entry left empty is removed.
   */
  setEnabled(name: string, isEnabled: boolean): EditableConfig {
    const entry = this.existing(name);
    return isEnabled ? this.switchOn(entry) : this.switchOff(entry);
  }

  /** As {@link setEnabled}, also for a server that another file declares. */
  switchServer(name: string, isEnabled: boolean): EditableConfig {
    return this.entry(name)
      ? this.setEnabled(name, isEnabled)
      : this.override(name, { enabled: isEnabled });
  }

  /** Adds switches for a server that another file declares. */
  override(name: string, switches: JsonObject): EditableConfig {
    return this.set([...this.blockPath(), name], switches);
  }

  /** Names that are there already, known to us or not, stay. */
  addImports(sources: readonly ImportSource[]): EditableConfig {
    const value = jsonValueAt(parseWholeDocument(this.text).root, 'imports');
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
    const { root } = parseWholeDocument(this.text);
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
    const block: unknown = jsonValueAt(parseWholeDocument(edited.text).root, 'settings');
    return isJsonObject(block) && Object.keys(block).length === 0
      ? edited.with((text) => removeJsonProperty(text, ['settings']))
      : edited;
  }

  /** A server may be called `settings`, and then there are none. */
  private assertSettings(): void {
    const block: unknown = jsonValueAt(parseWholeDocument(this.text).root, 'settings');
    const isServer = this.parsed.entries.some(({ path }) => path.join() === 'settings');
    if (isServer || (block !== undefined && !isJsonObject(block))) {
      throw new HumanError(
        'settings_unusable',
        l10n.t('{0}: {1}', this.location.path, mustBe('settings', '{ … }')),
        { remedy: l10n.t('Correct the file, then try again.') },
      );
    }
  }

  private settingPath(name: string): ConfigPath {
    const { root } = parseWholeDocument(this.text);
    const block: unknown = jsonValueAt(root, 'settings');
    const isInBlock = isJsonObject(block) && Object.hasOwn(block, name);
    const isBeside =
      name === truncationSetting.name && isJsonObject(jsonValueAt(root, name)) && !isInBlock;
    return isBeside ? [name] : ['settings', name];
  }

  /** Adds an empty list of servers to a file that holds none. */
  ensureServers(): EditableConfig {
    return this.parsed.shape === 'empty' ? this.set(['mcpServers'], {}) : this;
  }

  private switchOff({ path, raw = {} }: ParsedEntry): EditableConfig {
    const name = switchNames.find((known) => Object.hasOwn(raw, known)) ?? this.usualSwitch();
    return this.set([...path, name], name === 'disabled');
  }

  private switchOn({ name, path, raw = {}, kind }: ParsedEntry): EditableConfig {
    const isOverride = kind === 'overrides';
    const isLast = Object.keys(raw).at(-1) === 'enabled';
    const edited = this.letGo(path, raw, 'disabled', isOverride).letGo(
      path,
      raw,
      'enabled',
      isOverride || isLast,
    );
    const left = Object.keys(edited.existing(name).raw ?? {});
    return left.length === 0 ? edited.removeServer(name) : edited;
  }

  /** Takes back what a switch says, in place or with the switch. */
  private letGo(
    path: ConfigPath,
    raw: JsonObject,
    name: (typeof switchNames)[number],
    isRemoved: boolean,
  ): EditableConfig {
    const on = name === 'enabled';
    if (!Object.hasOwn(raw, name) || raw[name] === on) {
      return this;
    }
    return isRemoved
      ? this.with((text) => removeJsonProperty(text, [...path, name]))
      : this.set([...path, name], on);
  }

  /** As other clients of this file call it: some know `disabled` alone. */
  private usualSwitch(): (typeof switchNames)[number] {
    const isUsed = (name: string) =>
      this.parsed.entries.some(({ raw }) => raw && Object.hasOwn(raw, name));
    return isUsed('disabled') && !isUsed('enabled') ? 'disabled' : 'enabled';
  }

  private changeField(name: string, field: string, value: unknown): EditableConfig {
    const { path, raw } = this.existing(name);
    const written = this.nameInUse(raw, field);
    const isNothing = value === null || value === undefined;
    if (!isNothing && stableStringify(raw?.[written] ?? null) === stableStringify(value)) {
      return this;
    }
    return isNothing || isDefaultValue(field, value, raw)
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

  /** Why a new server cannot have the name. */
  refusalOf(name: string): HumanError | undefined {
    if (name.trim() === '') {
      return new HumanError('server_name_empty', l10n.t('A name is missing.'), {
        remedy: l10n.t('Enter a name.'),
      });
    }
    return this.entry(name)
      ? new HumanError(
          'server_name_taken',
          l10n.t('{0} already has a server {1}.', this.location.path, quotedName(name)),
          { remedy: l10n.t('Choose another name.') },
        )
      : undefined;
  }

  private assertFree(name: string): void {
    const refusal = this.refusalOf(name);
    if (refusal) {
      throw refusal;
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

  /** Another text in the place of this one. */
  withText(text: string): EditableConfig {
    return new EditableConfig(text, this.location);
  }

  /** @param edit of the text behind a byte order mark */
  with(edit: (text: string) => string): EditableConfig {
    const content = stripByteOrderMark(this.text);
    const mark = this.text.slice(0, this.text.length - content.length);
    return new EditableConfig(mark + edit(content), this.location);
  }
}

function jsonValueAt(root: Node | undefined, name: string): unknown {
  const property = findProperty(root, name);
  return property && jsonValueOf(property.valueNode);
}

/** A server that becomes the other kind keeps no fields that only its former kind reads. */
function fittingChange(change: FileEntryChange, current: ParsedEntry['kind']): FileEntryChange {
  const kind = kindOf(change);
  if (!kind || kind === current) {
    return change;
  }
  const gone = configFields.filter((field) => field.kind !== 'both' && field.kind !== kind);
  const names = [...gone.map((field) => field.name), 'type', 'transport'];
  return { ...Object.fromEntries(names.map((name) => [name, null])), ...change };
}

function kindOf(change: FileEntryChange): 'stdio' | 'http' | undefined {
  const hasCommand = change.command !== undefined && change.command !== null;
  const hasUrl = change.url !== undefined && change.url !== null;
  if (hasCommand === hasUrl) {
    return undefined;
  }
  return hasCommand ? 'stdio' : 'http';
}

/** What an entry says that would not be so without its saying it. */
export function withoutDefaults(entry: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(entry).filter(([name, value]) => !isDefaultValue(name, value, entry)),
  );
}

function isDefaultValue(name: string, value: unknown, entry: JsonObject = {}): boolean {
  const field = findField(name);
  return (
    field?.defaultValue !== undefined &&
    // left out, the type says another one
    (name !== 'transport' || (transportOfType(entry.type) ?? value) === value) &&
    // what a file may set for all of its servers means something else when it is left out
    !field.isSetting &&
    JSON.stringify(field.defaultValue) === JSON.stringify(value)
  );
}
