import * as l10n from '@vscode/l10n';
import type { Node } from 'jsonc-parser';
import type { JsonObject } from '../../base/json.js';
import { nameToken, quotedName } from '../../base/text/nameToken.js';
import { isWellFormed } from '../../base/text/wellFormed.js';
import type { ConfigProblem, McpServerLaunch } from '../definition.js';
import type { ConfigField, FieldTable } from '../schema/field.js';
import { mustBe } from '../sentences.js';
import { oversizedProblem } from './bounds.js';
import { type ConfigPath, type EntryOptions, type ParsedEntry, toOptions } from './configTypes.js';
import { EntryReader } from './entryReader.js';
import {
  type JsonProperty,
  jsonValueOf,
  nameRange,
  nodeRange,
  properties,
} from './jsonDocument.js';
import { parseHttpLaunch, parseStdioLaunch } from './parseLaunch.js';

/** Reads one server entry. Never throws; whatever is wrong becomes a problem of this entry alone. */
export function parseEntry(
  property: JsonProperty,
  path: ConfigPath,
  fields?: FieldTable,
): ParsedEntry {
  const base = {
    name: property.name,
    path,
    range: property.range,
    nameRange: nameRange(property),
  };
  if (property.valueNode.type !== 'object') {
    const problem = notAnObject(property);
    return { ...base, raw: undefined, ...invalid([problem]) };
  }
  const oversized = oversizedProblem(property);
  if (oversized) {
    return { ...base, raw: undefined, ...invalid([oversized]) };
  }
  const reader = new EntryReader(property, fields);
  reportMalformedName(reader);
  const content = readContent(reader);
  const raw = jsonValueOf(property.valueNode) as JsonObject;
  return { ...base, raw, ...content, ofUser: reader.ofUser, problems: reader.problems };
}

type EntryContent = Pick<ParsedEntry, 'kind' | 'launch' | 'enabled' | 'options'>;

function readContent(reader: EntryReader): EntryContent {
  reportNames(reader);
  const enabled = readEnabled(reader);
  const options = readOptions(reader);
  const kind = readKind(reader);
  let launch: McpServerLaunch | undefined;
  if (kind === 'stdio') {
    launch = parseStdioLaunch(reader);
  } else if (kind === 'http') {
    launch = parseHttpLaunch(reader);
  }
  if (reader.hasErrors) {
    return { kind: 'invalid', launch: undefined, enabled, options };
  }
  return { kind, launch, enabled, options };
}

/** No file and no address can hold half a character, so that nothing could refer to such a server. */
function reportMalformedName(reader: EntryReader): void {
  if (!isWellFormed(reader.server)) {
    reader.report(
      'malformed-name',
      'error',
      l10n.t('The name {0} holds half of a character.', JSON.stringify(reader.server)),
      l10n.t('Use letters, digits, "-" and "_" only.'),
    );
  }
}

function readKind(reader: EntryReader): ParsedEntry['kind'] {
  const hasCommand = reader.has('command');
  const hasUrl = reader.has('url');
  if (hasCommand && hasUrl) {
    reader.report(
      'command-and-url',
      'error',
      l10n.t('Server {0} has both "command" and "url".', quotedName(reader.server)),
      l10n.t('Keep one of them.'),
      reader.get('url')?.nameNode,
    );
    return 'invalid';
  }
  if (hasCommand) {
    return 'stdio';
  }
  if (hasUrl) {
    return 'http';
  }
  if (reader.isOverridesOnly) {
    return 'overrides';
  }
  reader.add(missingKind(reader.server, reader.nameNode));
  return 'invalid';
}

/** The problem of an entry that has neither `command` nor `url` and no lower entry to override. */
export function missingKind(
  server: string,
  place: Node | { start: number; end: number },
): ConfigProblem {
  return {
    code: 'no-command-or-url',
    severity: 'error',
    message: l10n.t('Server {0} has neither "command" nor "url".', quotedName(server)),
    remedy: l10n.t('Add "command" for a program on this machine or "url" for a remote server.'),
    range: 'start' in place ? place : nodeRange(place),
    server,
  };
}

function readEnabled(reader: EntryReader): boolean | undefined {
  const enabled = reader.boolean('enabled', 'error');
  const disabled = reader.boolean('disabled', 'error');
  if (enabled === undefined) {
    return disabled === undefined ? undefined : !disabled;
  }
  // two switches that disagree: off is the safe reading
  return enabled && disabled !== true;
}

function readOptions(reader: EntryReader): EntryOptions {
  return toOptions(
    reader.fields.options.map((field) => [field.name, reader.option(field)] as const),
  );
}

/** Names under which people leave notes. */
const noteName = /^(?:\/\/|[_$#]|x-)/;

function reportNames(reader: EntryReader): void {
  const seen = new Set<string>();
  for (const property of properties(reader.node)) {
    const item = reader.fields.find(property.name);
    if (seen.has(property.name)) {
      reader.report(
        'duplicate-field',
        'warning',
        l10n.t('"{0}" is written twice; the last one counts.', nameToken(property.name)),
        l10n.t('Keep one of them.'),
        property.nameNode,
      );
    }
    seen.add(property.name);
    if (!item) {
      if (!noteName.test(property.name)) {
        reader.unknownField(property.name, property.nameNode);
      }
    } else if (item.role === 'foreign') {
      reportForeign(reader, property, item);
    } else {
      reportOtherKind(reader, property, item);
    }
  }
}

function reportForeign(reader: EntryReader, property: JsonProperty, item: ConfigField): void {
  if (item.isDescriptive || isNothing(property.valueNode)) {
    return;
  }
  const { name, nameNode } = property;
  reader.uselessField('ignored-field', 'hint', name, nameNode, item.guide?.describe?.());
}

/** What is written only because a tool writes every field. */
function isNothing(node: Node): boolean {
  const value: unknown = jsonValueOf(node);
  return !value || (typeof value === 'object' && Object.keys(value).length === 0);
}

function reportOtherKind(reader: EntryReader, property: JsonProperty, item: ConfigField): void {
  const other = item.kind === 'stdio' ? 'url' : 'command';
  const own = item.kind === 'stdio' ? 'command' : 'url';
  if (item.kind === 'both' || item.name === own || reader.has(own) || !reader.has(other)) {
    return;
  }
  reader.uselessField('field-of-other-kind', 'warning', property.name, property.nameNode);
}

function notAnObject(property: JsonProperty): ConfigProblem {
  return {
    code: 'entry-not-object',
    severity: 'error',
    message: mustBe(property.name, '{ … }'),
    remedy: l10n.t('Correct the value.'),
    range: nodeRange(property.valueNode),
    server: property.name,
  };
}

function invalid(
  problems: readonly ConfigProblem[],
): Pick<ParsedEntry, 'kind' | 'launch' | 'enabled' | 'options' | 'problems'> {
  return { kind: 'invalid', launch: undefined, enabled: undefined, options: {}, problems };
}
