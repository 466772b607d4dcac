import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { configFields, findField } from '../../../../src/config/schema/fields.js';
import { fieldText } from '../../../../src/config/schema/guides/guideOf.js';
import { findOAuthField } from '../../../../src/config/schema/oauthFields.js';
import { buildConfigSchema } from '../../../../src/config/schema/schema.js';
import { settingFields } from '../../../../src/config/schema/settings.js';

const path = resolve(import.meta.dirname, '../../../../media/schemas/mcp.schema.json');
const schema = JSON.parse(JSON.stringify(buildConfigSchema()));

describe('the committed schema', () => {
  it('is what the field table says (UPDATE_GOLDEN=1 rewrites it)', () => {
    const text = `${JSON.stringify(schema, undefined, 2)}\n`;
    if (process.env.UPDATE_GOLDEN === '1') {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
    expect(readFileSync(path, 'utf8')).toBe(text);
  });
});

describe('the schema', () => {
  // what is offered says nothing of what is right
  const { allOf: _, ...server } = schema.definitions.server;
  const definitions = { ...schema.definitions, server };
  const validator = z.fromJSONSchema({ ...schema, definitions });
  const entry = { command: 'npx', args: ['-y', 'x'], env: { A: '1', PORT: 3000 } };
  const accepted: readonly (readonly [string, unknown])[] = [
    ['mcpServers', { mcpServers: { a: entry, b: { url: 'https://a', custom: { x: 1 } } } }],
    ['mcp-servers', { 'mcp-servers': { a: entry } }],
    ['servers and inputs', { servers: { a: entry }, inputs: [{ id: 'k', type: 'promptString' }] }],
    ['a bare map', { a: entry, $schema: 'x' }],
    ['an opencode block', { mcp: { a: { type: 'local', command: ['x'], enabled: true } } }],
    ['an argv and aliases', { mcpServers: { a: { command: ['x'], environment: { A: '1' } } } }],
    ['switches', { disabled: true, settings: { toolPrefix: 'short' }, imports: ['cursor'] }],
  ];
  it.each(accepted)('accepts %s', (_label, value) => {
    expect(validator.safeParse(value).error).toBeUndefined();
  });

  it.each([
    ['a number as url', { mcpServers: { a: { url: 3 } } }],
    ['an unknown lifecycle', { mcpServers: { a: { command: 'x', lifecycle: 'often' } } }],
    ['an entry that is no object', { mcpServers: { a: null } }],
  ])('rejects %s', (_label, value) => {
    expect(validator.safeParse(value).success).toBe(false);
  });

  it.each([
    ['a path of a command is not looked up', 'command', 'a path counts from the working directory'],
    ['a User server has no folder', 'envFile', 'or your home directory for a User server'],
    ['an eager server comes back after a drop', 'lifecycle', '`eager`: At start, and again'],
    ['an eager server has no time of its own', 'idleTimeout', 'an `eager` server is never stopped'],
    ['tools may be left to a search', 'directTools', '`"search"`'],
    [
      'four grants are known',
      'grant',
      'An identity provider · `workload_identity`: The identity of a workload',
    ],
    ['metadata may demand bound tokens', 'dpop', 'Left out, the server decides'],
  ])('says that %s', (_fact, name, words) => {
    const field = findField(name) ?? findOAuthField(name);
    expect(field && fieldText(field)).toContain(words);
  });

  it('describes and names every field once', () => {
    const names = configFields.flatMap((field) => [field.name, ...field.aliases]);
    expect(new Set(names).size).toBe(names.length);
    for (const field of [...configFields, ...settingFields.fields]) {
      expect(fieldText(field), field.name).not.toBe('');
    }
  });
});
