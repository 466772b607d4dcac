import { expect, it } from 'vitest';
import { parseTool } from '../../../../../src/mcp/connection/reading/parseItems.js';
import { parseAppNeeds, parseToolUi } from '../../../../../src/mcp/connection/reading/parseUi.js';

const uri = 'ui://shop/orders';

it.each([
  ['nested', { ui: { resourceUri: uri } }, { resourceUri: uri }],
  ['flat', { 'ui/resourceUri': uri }, { resourceUri: uri }],
  ['both', { ui: { resourceUri: uri }, 'ui/resourceUri': 'ui://old' }, { resourceUri: uri }],
  ['another scheme', { ui: { resourceUri: 'https://shop.example' } }, undefined],
  ['app only', { ui: { visibility: ['app', 'moon'] } }, { visibility: ['app'] }],
  ['nobody', { ui: { visibility: [] } }, { visibility: [] }],
  ['nothing', {}, undefined],
  ['nonsense', 'ui', undefined],
])('reads what a tool says about its app: %s', (_, meta, ui) => {
  expect(parseToolUi({ _meta: meta })).toEqual(ui ? { ui } : {});
});

it('reads it as a part of the tool', () => {
  const tool = parseTool({ name: 'show', _meta: { ui: { resourceUri: uri } } });
  expect(tool?.ui).toEqual({ resourceUri: uri });
});

it('reads the needs of an app within bounds', () => {
  const connectDomains = ['https://a.example', 7, 'x'.repeat(1000)];
  const ui = {
    csp: { connectDomains, resourceDomains: Array(100).fill('https://b.example') },
    permissions: { camera: {} },
  };
  const needs = parseAppNeeds({ _meta: { ui } }).ui;
  expect(needs).toMatchObject({
    connectDomains: ['https://a.example'],
    frameDomains: [],
    permissions: ['camera'],
  });
  expect(needs?.resourceDomains).toHaveLength(50);
});
