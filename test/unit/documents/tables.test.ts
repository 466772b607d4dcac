/** What documents say of fields, settings, commands, routes and causes is what the product says. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import bundle from '../../../l10n/bundle.l10n.json' with { type: 'json' };
import manifest from '../../../package.json' with { type: 'json' };
import nls from '../../../package.nls.json' with { type: 'json' };
import type { ConfigField } from '../../../src/config/schema/field.js';
import { entryFields } from '../../../src/config/schema/fields.js';
import { fieldText } from '../../../src/config/schema/guides/guideOf.js';
import { oauthFields } from '../../../src/config/schema/oauthFields.js';
import { causeParts, causesTable, readFixes } from '../../helpers/documents/causes.js';
import { fieldTables } from '../../helpers/documents/fieldTables.js';
import {
  apiTable,
  cliCommandsTable,
  cliOptionsTable,
  commandsTable,
  keysTable,
  routesTable,
  rulesTable,
  settingsTable,
} from '../../helpers/documents/productTables.js';
import { expectSection } from '../../helpers/documents/sections.js';

const fields = fieldTables(entryFields);

describe('a table of the documents (UPDATE_GOLDEN=1 rewrites it)', () => {
  it.each<[string, string, () => string]>([
    ['docs/servers.md', 'fields of entry', () => fields.get('entry') ?? ''],
    ['docs/servers.md', 'fields of settings', () => fields.get('settings') ?? ''],
    ['docs/accounts.md', 'fields of oauth', () => fields.get('oauth') ?? ''],
    ['docs/settings.md', 'settings', settingsTable],
    ['docs/settings.md', 'rules', rulesTable],
    ['docs/settings.md', 'commands', commandsTable],
    ['docs/settings.md', 'keys', keysTable],
    ['docs/command-line.md', 'commands of pi-mcp', cliCommandsTable],
    ['docs/command-line.md', 'options of pi-mcp', cliOptionsTable],
    ['docs/gateway.md', 'routes', routesTable],
    ['docs/extension-api.md', 'members', apiTable],
  ])('in %s has the %s of the product', (document, name, table) => {
    expect(table().split('\n').length).toBeGreaterThan(3);
    expectSection(document, name, table());
  });
});

describe.each(causeParts)('the %s', (part) => {
  it('are those of the product (UPDATE_GOLDEN=1 rewrites all but what to do)', () => {
    expectSection('docs/troubleshooting.md', part, causesTable(part));
  });

  it('say for each what to do', () => {
    const fixes = [...readFixes(part)];
    expect(fixes.length).toBeGreaterThan(40);
    expect(fixes.filter(([, fix]) => !/^[A-Z`].*[.!]$/.test(fix))).toEqual([]);
  });
});

it('say of these what to do in the words of the product', () => {
  const texts = new Set(Object.keys(bundle));
  const fixes = new Map(causeParts.flatMap((part) => [...readFixes(part)]));
  const codes =
    `bundle_manifest redirected closed session_lost stream_dropped stream_silent server_error
    task_failed sign_in_cancelled sign_in_refused task_abandoned app_unusable syntax
    unknown-field queue_full too_many_attachments command-and-url duplicate-block
    duplicate-field duplicate-name strict-json registry_busy no_mode restricted_mode
    no_thinking sampling_failed paste_hidden prompt_too_long attachment_unreadable app_gone
    package_name_unknown`.split(/\s+/);
  const own = codes.filter((code) => !texts.has(fixes.get(code)?.replaceAll('`', '"') ?? ''));
  expect(own).toEqual([]);
});

it('names as experimental what schema and settings name so', () => {
  const settings: Record<string, { markdownDescription: string; tags?: readonly string[] }> =
    manifest.contributes.configuration.properties;
  const texts: Readonly<Record<string, string>> = nls;
  const ids = Object.entries(settings).filter(([, { markdownDescription, tags }]) => {
    const isTagged = tags?.includes('experimental') ?? false;
    expect(texts[markdownDescription.slice(1, -1)]?.includes('Experimental')).toBe(isTagged);
    return isTagged;
  });
  const isExperimental = (field: ConfigField) => fieldText(field).includes('Experimental');
  const names = [
    ...entryFields.fields.filter(isExperimental).map(({ name }) => name),
    ...oauthFields.filter(isExperimental).map(({ name }) => `oauth.${name}`),
  ];
  const [, table = ''] = readFileSync('docs/upgrade.md', 'utf8').split('## What is experimental');
  const named = [...table.matchAll(/^\| `([\w.]+)`/gm)].map(([, name]) => name);
  expect(named).toEqual([...names, ...ids.map(([id]) => id)]);
});
