import { expect, it } from 'vitest';
import { defaultOptions, entryFields } from '../../../../src/config/schema/fields.js';
import { settingFields } from '../../../../src/config/schema/settings.js';

const defaultsOf = (
  fields: readonly { readonly name: string; readonly defaultValue?: unknown }[],
) => Object.fromEntries(fields.map(({ name, defaultValue }) => [name, defaultValue]));

it('fields and settings have the defaults of pi-forge and pi-mcp-adapter', () => {
  expect(defaultsOf(entryFields.fields)).toMatchObject({
    enabled: true,
    transport: 'auto',
    args: [],
    lifecycle: 'lazy',
    idleTimeout: 10,
    startupTimeoutMs: 30_000,
    exposeResources: true,
    debug: false,
  });
  expect(defaultsOf(settingFields.fields)).toMatchObject({
    toolPrefix: 'server',
    idleTimeout: 10,
    toonEncode: false,
    captureStats: false,
  });
  expect(defaultOptions).toMatchObject({
    lifecycle: 'lazy',
    idleTimeout: 10,
    startupTimeoutMs: 30_000,
    exposeResources: true,
    debug: false,
  });
});
