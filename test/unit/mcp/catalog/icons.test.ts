import { expect, it } from 'vitest';
import { boundIcons, iconOf, loadIcons } from '../../../../src/mcp/catalog/icons.js';
import { emptyCatalog, type McpCatalog, type McpIcon } from '../../../../src/mcp/mcpTypes.js';

const png = 'data:image/png;base64,AAAA';
const other = 'data:image/png;base64,BBBB';
const address = 'https://shop.example/icon.png';

function catalogOf(...icons: readonly (readonly McpIcon[])[]): McpCatalog {
  return {
    ...emptyCatalog,
    tools: icons.map((own, index) => ({ name: `tool${index}`, inputSchema: {}, icons: own })),
  };
}

it('gives each kind of theme its own image, and never an address', () => {
  expect(iconOf({ icons: [{ src: png }] })).toEqual({ light: png, dark: png });
  expect(
    iconOf({
      icons: [
        { src: png, theme: 'light' },
        { src: other, theme: 'dark' },
      ],
    }),
  ).toEqual({
    light: png,
    dark: other,
  });
  expect(iconOf({ icons: [{ src: other, theme: 'dark' }] })).toEqual({ light: other, dark: other });
  expect(iconOf({ icons: [{ src: address }] })).toBeUndefined();
  expect(iconOf({})).toBeUndefined();
});

it('bounds the icons of a server and says so', () => {
  const large = { src: `data:image/png;base64,${'A'.repeat(60_000)}` };
  const catalog = catalogOf(...Array.from({ length: 20 }, () => [large]));
  const { tools, notices } = boundIcons(catalog);
  expect(tools.filter((tool) => iconOf(tool))).toHaveLength(17);
  expect(notices).toEqual(['Some icons are left out: the server sends more than 1024 KB.']);
  const small = catalogOf([{ src: png }]);
  expect(boundIcons(small)).toBe(small);
});

it('asks the session for addresses, once for each, and drops what it does not give', async () => {
  const asked: string[] = [];
  const readIcon = async (one: string) => {
    asked.push(one);
    return one === address ? other : undefined;
  };
  const gone = 'https://elsewhere.example/icon.png';
  const catalog = catalogOf(
    [{ src: address }],
    [{ src: address }],
    [{ src: gone }],
    [{ src: png }],
  );
  const loaded: McpCatalog[] = [];
  await loadIcons({ readIcon }, catalog, (complete) => loaded.push(complete));
  expect(asked).toEqual([address, gone]);
  const icons = loaded[0]?.tools.map((tool) => tool.icons?.map(({ src }) => src));
  expect(icons).toEqual([[other], [other], [], [png]]);
  expect(loaded[0]?.tools[3]).toBe(catalog.tools[3]);
});

it('does nothing where nobody loads icons', async () => {
  const loaded: McpCatalog[] = [];
  await loadIcons({}, catalogOf([{ src: address }]), (complete) => loaded.push(complete));
  expect(loaded).toEqual([]);
});
