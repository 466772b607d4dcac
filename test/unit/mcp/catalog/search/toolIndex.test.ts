import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { selectTools } from '../../../../../src/mcp/catalog/search/selectTools.js';
import { ToolIndex } from '../../../../../src/mcp/catalog/search/toolIndex.js';
import { readCapturedServers, searchableTools } from '../../../../helpers/capturedTools.js';
import { generateServers } from '../../../../helpers/generatedTools.js';
import { repository } from '../../../../workbench/paths.mjs';

interface Query {
  readonly query: string;
  readonly expects: readonly string[];
}

const queries: Readonly<Record<'tuning' | 'heldOut', readonly Query[]>> = JSON.parse(
  readFileSync(join(repository, 'test/fixtures/search/queries.json'), 'utf8'),
);
const real = new ToolIndex(searchableTools(readCapturedServers()));

function tool(name: string, description = '', inputSchema = {}) {
  return { name: `s__${name}`, server: 's', tool: name, description, inputSchema };
}

function namesOf(index: ToolIndex<ReturnType<typeof tool>>, query: string, limit = 5) {
  return index.search(query, limit).map((hit) => hit.tool.tool);
}

describe('retrieval over the tools of ten public servers', () => {
  it.each(['tuning', 'heldOut'] as const)('finds the right tool among five: %s', (set) => {
    const missed = queries[set].filter(({ query, expects }) => {
      const found = real.search(query).map((hit) => `${hit.tool.server}/${hit.tool.tool}`);
      return !found.some((name) => expects.includes(name));
    });
    expect(1 - missed.length / queries[set].length).toBeGreaterThanOrEqual(0.95);
  });

  it.each(['tuning', 'heldOut'] as const)('leaves no natural query without a result: %s', (set) => {
    expect(queries[set].filter(({ query }) => real.search(query).length === 0)).toEqual([]);
  });
});

describe('ToolIndex', () => {
  it.each([
    ['camelCase', 'take screen shot', 'takeScreenShot'],
    ['capitals in a row', 'http request', 'sendHTTPRequest'],
    ['a name in two capitals found as one word', 'github', 'GitHubStatus'],
    ['word forms', 'merging branches', 'merge_branch'],
    ['abbreviations', 'my PR', 'get_pull_request'],
    ['synonyms', 'folder', 'list_directory'],
    ['a slip of the keyboard', 'screnshot', 'screenshot'],
    ['a beginning', 'config', 'configuration_read'],
    ['another script', '検索', '検索する'],
  ])('understands %s', (_, query, expected) => {
    const others = ['zip_archive', 'play_music', 'weather_today'].map((name) => tool(name));
    expect(namesOf(new ToolIndex([...others, tool(expected)]), query)[0]).toBe(expected);
  });

  it('searches names and descriptions of parameters, nested ones too', () => {
    const schema = {
      type: 'object',
      properties: {
        where: { type: 'object', properties: { latitude: { description: 'degrees north' } } },
      },
    };
    const index = new ToolIndex([tool('forecast', '', schema), tool('music')]);
    expect(namesOf(index, 'latitude')).toEqual(['forecast']);
    expect(namesOf(index, 'degrees')).toEqual(['forecast']);
  });

  it('puts a hit in the name before one in a description', () => {
    const index = new ToolIndex([
      tool('export', 'Writes an invoice and a report to a file'),
      tool('invoice', 'Shows one'),
    ]);
    expect(namesOf(index, 'invoice')).toEqual(['invoice', 'export']);
  });

  it('returns at most as many as asked for, best first', () => {
    const index = new ToolIndex(Array.from({ length: 20 }, (_, n) => tool(`read_${n}`)));
    const hits = index.search('read', 5);
    expect(hits.map(({ score }) => score)).toEqual(
      hits.map(({ score }) => score).sort((a, b) => b - a),
    );
    expect(hits).toHaveLength(5);
  });

  it('finds nothing for a query that resembles nothing, and nothing among no tools', () => {
    expect(new ToolIndex([tool('read')]).search('§§§')).toEqual([]);
    expect(new ToolIndex([]).search('read')).toEqual([]);
  });

  it('leaves tools that match equally well in the order in which they were given', () => {
    const names = ['read_y', 'read_x', 'read_z'];
    const index = new ToolIndex(names.map((name) => tool(name)));
    expect(namesOf(index, 'read')).toEqual(names);
    expect(namesOf(index, 'read', 2)).toEqual(names.slice(0, 2));
  });

  it.each(['', ' \n\t', '…', '()', 'the of and'])('finds nothing for the query %j', (query) => {
    expect(new ToolIndex([tool('read'), tool('write')]).search(query)).toEqual([]);
  });

  it.each([
    ['accents', 'résumé', 'lire_résumé'],
    ['capitals beyond ASCII', 'ÜBERSICHT', 'übersicht_zeigen'],
    ['another alphabet', 'погода', 'Погода_завтра'],
    ['a picture', 'send 🎉', 'party_🎉'],
    ['a letter of a surrogate pair', '𠮷野家', 'find_𠮷野家'],
    ['a script without spaces beside letters', '検索', 'google検索する'],
  ])('reads %s', (_, query, expected) => {
    const others = ['weather_today', '音楽', 'Резюме'].map((name) => tool(name));
    expect(namesOf(new ToolIndex([...others, tool(expected)]), query)).toEqual([expected]);
  });

  it('tells any two words apart, however alike', () => {
    const words = Array.from({ length: 4_000 }, (_, index) => `k${index.toString(36)}q`);
    const index = new ToolIndex(words.map((word) => tool(word)));
    expect(words.filter((word) => namesOf(index, word, 2).join() !== word)).toEqual([]);
  });

  it('knows nothing of a tool that it was not given again', () => {
    const tools = [tool('invoice_create', 'Drafts'), tool('zip_archive')];
    expect(namesOf(new ToolIndex(tools), 'draft an invoice')).toEqual(['invoice_create']);
    expect(namesOf(new ToolIndex(tools.slice(1)), 'draft an invoice')).toEqual([]);
  });

  it('gives the same answer however often it was asked before', () => {
    const tools = generateServers(10, 50).flatMap((server) => searchableTools([server]));
    const used = new ToolIndex(tools);
    used.search('delete the archived invoice');
    expect(used.search('list draft orders')).toEqual(
      new ToolIndex(tools).search('list draft orders'),
    );
  });
});

describe('selectTools', () => {
  const index = new ToolIndex([tool('read'), tool('write')]);

  it('picks by name in any case, also as server/tool or by the own name', () => {
    const { tools, unknown } = selectTools(index, 'select:S__READ, s/write,read,other', 5);
    expect(tools.map((found) => found.tool)).toEqual(['read', 'write']);
    expect(unknown).toEqual(['other']);
  });

  it('searches for anything else', () => {
    expect(selectTools(index, 'reading', 5).tools.map((found) => found.tool)).toEqual(['read']);
  });
});
