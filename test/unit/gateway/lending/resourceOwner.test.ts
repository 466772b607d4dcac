import { describe, expect, it } from 'vitest';
import { fitsTemplate, resourceOwner } from '../../../../src/gateway/lending/resourceOwner.js';
import type { McpServer } from '../../../../src/mcp/mcpApi.js';

function server(name: string, resources: readonly string[], templates: readonly string[] = []) {
  return {
    definition: { name },
    catalog: {
      value: {
        resources: resources.map((uri) => ({ uri })),
        resourceTemplates: templates.map((uriTemplate) => ({ uriTemplate })),
      },
    },
  } as unknown as McpServer;
}

describe('resourceOwner', () => {
  const notes = server('notes', ['note://one'], ['note://{name}']);
  const greedy = server('greedy', [], ['{+anything}', 'note://o{rest}']);
  const copying = server('copying', ['note://one', 'note://two'], ['note://{name}']);
  const quiet = server('quiet', []);

  it.each([
    ['the one that lists the address', [greedy, notes], 'note://one', notes],
    ['before any template, whatever the order', [notes, greedy], 'note://one', notes],
    ['the one that has the template itself', [greedy, notes], 'note://{name}', notes],
    ['the one whose template it fits', [quiet, greedy], 'other://x', greedy],
    ['the only one', [quiet], 'other://x', quiet],
  ])('is %s', (_which, servers, uri, owner) => {
    expect(resourceOwner(servers, uri)).toBe(owner);
  });

  it.each([
    ['the same address', [copying, notes], 'note://one', '"copying", "notes"'],
    ['it by templates', [greedy, notes], 'note://other', '"greedy", "notes"'],
    ['the same template', [notes, copying], 'note://{name}', '"notes", "copying"'],
  ])('is nobody where two claim %s', (_what, servers, uri, names) => {
    expect(() => resourceOwner(servers, uri)).toThrow(names);
  });

  it('is nobody where nobody claims it', () => {
    expect(() => resourceOwner([notes, quiet], 'other://x')).toThrow('Resource not found');
  });
});

describe('fitsTemplate', () => {
  it.each([
    ['weather://{city}', 'weather://Oslo', true],
    ['weather://{city}', 'weather://{city}', true],
    ['weather://{city}/now', 'weather://Oslo/now', true],
    ['weather://{city}/now', 'weather://Oslo/then', false],
    ['a://{x}/b/{y}/c', 'a://1/b/2/c', true],
    ['a://{x}/b/{y}/c', 'a://1/2/c', false],
    ['a://{x}aba', 'a://aba', true],
    ['aba{x}aba', 'aba', false],
    ['note://one', 'note://one', true],
    ['note://one', 'note://one/more', false],
    ['file:///{+path}', 'other:///x', false],
  ])('%s and %s: %s', (template, uri, fits) => {
    expect(fitsTemplate(template, uri)).toBe(fits);
  });

  it('takes no longer than the texts are long', () => {
    const template = `x${'{a}b'.repeat(50_000)}c`;
    expect(fitsTemplate(template, `x${'b'.repeat(200_000)}`)).toBe(false);
  });
});
