import { describe, expect, it } from 'vitest';
import { selectTools } from '../../../../../src/mcp/catalog/search/selectTools.js';
import { ToolIndex } from '../../../../../src/mcp/catalog/search/toolIndex.js';
import { readCapturedServers, searchableTools } from '../../../../helpers/capturedTools.js';
import { generateServers } from '../../../../helpers/generatedTools.js';

function tool(name: string, description = '', inputSchema = {}) {
  return { name: `s__${name}`, server: 's', tool: name, description, inputSchema };
}

function namesOf(index: ToolIndex<ReturnType<typeof tool>>, query: string, limit = 5) {
  return index.search(query, limit).map((hit) => hit.tool.tool);
}

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

  it.each([
    ['verbs that mean the same', 'put it aside', 'stash', 'put_item'],
    ['forms that no rule shortens', 'who sent it', 'send_report', 'open_report'],
    ['two words for one', 'take a screen shot', 'screenshot', 'screen_reader'],
    ['an address as an address', 'visit https://example.com/team?x=1', 'open_url', 'list_teams'],
    ['a plural as several', 'show my labels', 'list_labels', 'get_label'],
    ['a new thing as one to create', 'new label', 'create_label', 'get_label'],
    [
      'a question as one that changes nothing',
      'which labels are there',
      'list_labels',
      'label_add',
    ],
    ['what follows a courtesy', 'how do I delete a label', 'delete_label', 'list_labels'],
    ['a thing without a verb as one to read', 'orders of my shop', 'list_orders', 'create_order'],
    ['a quality as no verb', 'open bugs of the team', 'list_bugs', 'start_bug'],
    ['words that mean something together', 'pass it on to Lisa', 'forward_mail', 'pass_exam'],
    ['words apart that mean something together', 'put it off', 'reschedule', 'put_item'],
    ['the usual before the special', 'delete a mail', 'delete_mail', 'batch_delete_mail'],
    ['a question about people', 'who is in the project', 'project_members', 'project_notes'],
    ['irregular forms that mean something together', 'what went wrong', 'error_log', 'go_left'],
    ['who did it, whatever the form', 'who wrote this', 'blame_file', 'write_file'],
    ['a denial as part of a phrase', "why doesn't it start", 'error_log', 'doesnt_start_car'],
    ['a name with nothing else before a longer one', 'list label', 'list_label', 'list_label_list'],
  ])('understands %s', (_, query, expected, other) => {
    const index = new ToolIndex([tool(other), tool('play_music'), tool(expected)]);
    expect(namesOf(index, query)[0]).toBe(expected);
  });

  it.each([
    ['rain', 'drain'],
    ['boast', 'coast'],
    ['ample', 'sampled'],
  ])('does not take %s for %s, whose first letter differs', (query, name) => {
    expect(namesOf(new ToolIndex([tool(name)]), query)).toEqual([]);
  });

  it('counts a word once, however often a name has it', () => {
    const names = ['list_item', 'list_list_list_item'];
    const [first, second] = new ToolIndex(names.map((name) => tool(name))).search(
      'item list of all',
    );
    expect(first?.tool.tool).toBe('list_item');
    expect(second?.score).toBe(first?.score);
  });

  it('prefers tools of a server that the query names, or that says what it is for', () => {
    const of = (server: string, purpose?: string) => ({
      ...tool('create_issue', 'Creates an issue'),
      name: `${server}__create_issue`,
      server,
      purpose,
    });
    const index = new ToolIndex([of('alpha'), of('beta'), of('gamma', 'Bookkeeping of a shop')]);
    const first = (query: string) => index.search(query)[0]?.tool.server;
    expect(first('create an issue in beta')).toBe('beta');
    expect(first('create an issue about bookkeeping')).toBe('gamma');
  });

  it('counts nothing for the word with which the names of a server begin', () => {
    const names = ['page_delete', 'page_list', 'page_text_list'];
    const index = new ToolIndex(names.map((name) => tool(name)));
    expect(namesOf(index, 'list the text of a page')[0]).toBe('page_text_list');
    expect(namesOf(index, 'list pages')[0]).toBe('page_list');
  });

  it.each([
    ['where did I put invoice.pdf', 'search_files'],
    ['open the cat.png', 'read_image_file'],
    ['what is ABC-12 about', 'get_issue'],
    ['read #invoices', 'read_channel'],
  ])('knows what is meant in %s by its shape', (query, expected) => {
    const names = ['list_invoices', 'read_cat', 'search_files', 'read_image_file', 'get_abc'];
    const index = new ToolIndex([...names, 'get_issue', 'read_channel'].map((name) => tool(name)));
    expect(namesOf(index, query)[0]).toBe(expected);
  });

  it('takes no name of a person for another word', () => {
    const index = new ToolIndex([tool('annotate_image'), tool('read_mail')]);
    expect(namesOf(index, 'a mail to Anno')).toEqual(['read_mail']);
    expect(namesOf(index, 'anno a mail')).toContain('annotate_image');
  });

  it('looks into documentation for how something is done', () => {
    const names = ['list_webhooks', 'search_documentation'];
    const index = new ToolIndex(names.map((name) => tool(name, 'Webhooks')));
    expect(namesOf(index, 'how do webhooks work')[0]).toBe('search_documentation');
    expect(namesOf(index, 'what webhooks are there')[0]).toBe('list_webhooks');
  });

  it('puts a tool first whose name begins with no letter, when that is the whole query', () => {
    const index = new ToolIndex(
      ['delete_all_list', 'list', '_delete_all'].map((name) => tool(name)),
    );
    expect(namesOf(index, '_delete_all')[0]).toBe('_delete_all');
    expect(index.search('delete all')[0]?.score).toBeGreaterThan(1);
  });

  it('names a server in whole that is called what all are called, too', () => {
    const of = (server: string) => ({ ...tool('create_issue'), name: `${server}__issue`, server });
    const index = new ToolIndex([of('alpha-mcp'), of('beta')]);
    const [first, second] = index.search('create an issue in alpha or beta');
    expect(first?.score).toBe(second?.score);
  });

  it('leaves a pasted log unread after what a person may have written', () => {
    const log = Array.from({ length: 1_000 }, (_, at) => `at${at}`).join(' ');
    const index = new ToolIndex(['read_file', 'zip_archive'].map((name) => tool(name)));
    expect(namesOf(index, `read a file ${log} zip`)).toEqual(['read_file']);
  });

  it.each(["don't", "won't", 'won’t', 'doesnt', "isn't"])(
    'takes %s for no other word',
    (denial) => {
      const names = ['make_donation', 'list_deals', 'won_stage', 'isn_lookup'];
      expect(namesOf(new ToolIndex(names.map((name) => tool(name))), denial)).toEqual([]);
    },
  );

  it('gives scores that fall', () => {
    const tools = generateServers(10, 50).flatMap((server) => searchableTools([server]));
    const scores = new ToolIndex(tools)
      .search('delete the archived invoice', 100)
      .map((hit) => hit.score);
    expect(scores).toHaveLength(100);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(scores.every((score) => score > 0)).toBe(true);
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

  it('picks by name in any case, also as server/tool or by the own name', async () => {
    const { hits, unknown } = selectTools(index, 'select:S__READ, s/write,read,other', 5);
    expect(hits.map(({ tool: found }) => found.tool)).toEqual(['read', 'write']);
    expect(unknown).toEqual(['other']);
  });

  it('searches for anything else', async () => {
    const { hits } = selectTools(index, 'reading', 5);
    expect(hits.map(({ tool: found }) => found.tool)).toEqual(['read']);
  });
});

it('finds tools of one server in the order in which they are found among all', () => {
  const index = new ToolIndex(searchableTools(readCapturedServers()));
  for (const query of ['create an issue', 'read a file', 'who wrote this message', 'search']) {
    const all = index.search(query, index.tools.length);
    for (const { name } of readCapturedServers()) {
      const expected = all.filter(({ tool: found }) => found.server === name);
      expect(namesOfHits(index.search(query, 5, name))).toEqual(namesOfHits(expected.slice(0, 5)));
    }
  }
});

const namesOfHits = (hits: readonly { readonly tool: { readonly name: string } }[]) =>
  hits.map(({ tool: { name } }) => name);
