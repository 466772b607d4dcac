/** What servers of both kinds may have, most of it switches. */
import { defaultGraceMs } from '../../platform/clock.js';
import type { ToolOverride } from '../definition.js';
import { type ConfigField, type FieldRules, field } from './field.js';

/** Longest time-out of an entry. Milliseconds. */
const maxTimeoutMs = 10 * 60_000;
/** Longest `idleTimeout`, a week; more than a timer can count is no bound but a mistake. Minutes. */
const maxIdleMinutes = 7 * 24 * 60;

function overrideField(
  name: keyof ToolOverride,
  type: ConfigField['type'],
  more: FieldRules = {},
): ConfigField {
  return field(name, type, { guideId: `toolOverrides.${name}`, ...more });
}

export const commonFields: readonly ConfigField[] = [
  field('enabled', 'boolean', { excludedBy: ['disabled'], defaultValue: true }),
  field('disabled', 'boolean', {
    excludedBy: ['enabled'],
    shownBy: 'enabled',
    defaultValue: false,
  }),
  field('type', 'enum', {
    excludedBy: ['transport'],
    shownBy: 'transport',
    role: 'launch',
    values: ['stdio', 'http', 'sse', 'streamable-http', 'streamableHttp', 'local', 'remote'],
  }),
  field('lifecycle', 'enum', {
    defaultValue: 'lazy',
    values: ['lazy', 'eager', 'keep-alive', 'lazy-keep-alive'],
  }),
  field('idleTimeout', 'number', {
    isSetting: true,
    defaultValue: 10,
    minimum: 0,
    maximum: maxIdleMinutes,
  }),
  field('startupTimeoutMs', 'number', {
    isSetting: true,
    defaultValue: 30_000,
    minimum: 1,
    maximum: maxTimeoutMs,
    aliases: ['startup_timeout_ms'],
  }),
  field('requestTimeoutMs', 'number', {
    isSetting: true,
    defaultValue: 60_000,
    minimum: 1,
    maximum: maxTimeoutMs,
  }),
  field('stopGraceMs', 'number', {
    isSetting: true,
    kind: 'stdio',
    defaultValue: defaultGraceMs,
    // a file must not be able to end a server before it has saved its work, nor to keep it alive against the user
    minimum: 500,
    maximum: 10_000,
  }),
  field('protocolVersion', 'enum', {
    role: 'launch',
    defaultValue: 'legacy',
    values: ['legacy', 'auto', '2026-07-28'],
  }),
  field('roots', 'enum-or-strings', { values: ['folder', 'none'] }),
  field('exposeResources', 'boolean', { defaultValue: true }),
  field('exposure', 'enum', {
    isSetting: true,
    values: ['auto', 'direct', 'search', 'proxy', 'hidden'],
  }),
  field('directTools', 'boolean-or-strings', { isSetting: true, values: ['search'] }),
  field('includeTools', 'strings', { aliases: ['enabled_tools'] }),
  field('excludeTools', 'strings', { aliases: ['disabledTools', 'disabled_tools'] }),
  field('toolOverrides', 'named-objects', {
    fields: [
      overrideField('description', 'string'),
      overrideField('descriptionPrefix', 'string'),
      overrideField('title', 'string'),
      overrideField('readOnly', 'boolean'),
      overrideField('arguments', 'object'),
      overrideField('hidden', 'boolean', { folderValue: true }),
    ],
  }),
  field('toolPrefix', 'enum', {
    isSetting: true,
    settingDefault: 'server',
    values: ['server', 'short', 'none', 'mcp'],
  }),
  field('definitions', 'enum', { values: ['hold', 'announce', 'accept'] }),
  field('debug', 'boolean', { defaultValue: false }),
];
