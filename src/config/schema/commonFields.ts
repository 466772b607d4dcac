/** What servers of both kinds may have, most of it switches. */
import { defaultGraceMs } from '../../platform/clock.js';
import type { ToolOverride } from '../definition.js';
import { type ConfigField, type FieldSpec, field } from './field.js';

/** Longest time-out of an entry. Milliseconds. */
const maxTimeoutMs = 10 * 60_000;
/** Longest `idleTimeout`, a week; more than a timer can count is no bound but a mistake. Minutes. */
const maxIdleMinutes = 7 * 24 * 60;

function overrideField(
  name: keyof ToolOverride,
  type: ConfigField['type'],
  more: Partial<FieldSpec> = {},
): ConfigField {
  return field({ name, type, guideId: `toolOverrides.${name}`, ...more });
}

export const commonFields: readonly ConfigField[] = [
  field({
    name: 'enabled',
    excludedBy: ['disabled'],
    type: 'boolean',
    defaultValue: true,
  }),
  field({
    name: 'disabled',
    excludedBy: ['enabled'],
    shownBy: 'enabled',
    type: 'boolean',
    defaultValue: false,
  }),
  field({
    name: 'type',
    excludedBy: ['transport'],
    shownBy: 'transport',
    type: 'enum',
    role: 'launch',
    values: ['stdio', 'http', 'sse', 'streamable-http', 'streamableHttp', 'local', 'remote'],
  }),
  field({
    name: 'lifecycle',
    type: 'enum',
    defaultValue: 'lazy',
    values: ['lazy', 'eager', 'keep-alive', 'lazy-keep-alive'],
  }),
  field({
    name: 'idleTimeout',
    isSetting: true,
    type: 'number',
    defaultValue: 10,
    minimum: 0,
    maximum: maxIdleMinutes,
  }),
  field({
    name: 'startupTimeoutMs',
    isSetting: true,
    type: 'number',
    defaultValue: 30_000,
    minimum: 1,
    maximum: maxTimeoutMs,
    aliases: ['startup_timeout_ms'],
  }),
  field({
    name: 'requestTimeoutMs',
    isSetting: true,
    type: 'number',
    defaultValue: 60_000,
    minimum: 1,
    maximum: maxTimeoutMs,
  }),
  field({
    name: 'stopGraceMs',
    isSetting: true,
    type: 'number',
    kind: 'stdio',
    defaultValue: defaultGraceMs,
    // a file must not be able to end a server before it has saved its work, nor to keep it alive against the user
    minimum: 500,
    maximum: 10_000,
  }),
  field({
    name: 'protocolVersion',
    type: 'enum',
    role: 'launch',
    defaultValue: 'legacy',
    values: ['legacy', 'auto', '2026-07-28'],
  }),
  field({
    name: 'roots',
    type: 'enum-or-strings',
    values: ['folder', 'none'],
    hasVariables: true,
  }),
  field({
    name: 'exposeResources',
    type: 'boolean',
    defaultValue: true,
  }),
  field({
    name: 'exposure',
    isSetting: true,
    type: 'enum',
    values: ['auto', 'direct', 'search', 'proxy', 'hidden'],
  }),
  field({
    name: 'directTools',
    isSetting: true,
    type: 'boolean-or-strings',
    values: ['search'],
  }),
  field({
    name: 'includeTools',
    type: 'strings',
    aliases: ['enabled_tools'],
  }),
  field({
    name: 'excludeTools',
    type: 'strings',
    aliases: ['disabledTools', 'disabled_tools'],
  }),
  field({
    name: 'toolOverrides',
    type: 'named-objects',
    fields: [
      overrideField('description', 'string'),
      overrideField('descriptionPrefix', 'string'),
      overrideField('title', 'string'),
      overrideField('readOnly', 'boolean'),
      overrideField('arguments', 'object', { hasVariables: true }),
      overrideField('hidden', 'boolean', { folderValue: true }),
    ],
  }),
  field({
    name: 'toolPrefix',
    isSetting: true,
    settingDefault: 'server',
    type: 'enum',
    values: ['server', 'short', 'none', 'mcp'],
  }),
  field({
    name: 'definitions',
    type: 'enum',
    values: ['hold', 'announce', 'accept'],
  }),
  field({
    name: 'debug',
    type: 'boolean',
    defaultValue: false,
  }),
];
