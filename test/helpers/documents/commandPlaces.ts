/** Where a person finds a command, in words, from the menus of the manifest. */
import manifest from '../../../package.json' with { type: 'json' };

interface MenuItem {
  readonly command?: string;
  readonly submenu?: string;
  readonly when?: string;
  readonly group?: string;
}

const menus: Readonly<Record<string, readonly MenuItem[]>> = manifest.contributes.menus;

const views: Readonly<Record<string, string>> = {
  'piMcp.servers': '*Servers*',
  'piMcp.agent': '*Pi Agent*',
};
const rows: Readonly<Record<string, string>> = {
  server: 'a server',
  pool: 'a folder',
  tool: 'a tool',
  resource: 'a resource',
  prompt: 'a prompt',
  problem: 'a file',
};
const submenus: Readonly<Record<string, string>> = {
  'piMcp.more': '*More* in the row of a server',
  'piMcp.gateway': '*Gateway* in the row of a folder',
};

/** Each once, the palette first. */
export function commandPlaces(command: string): readonly string[] {
  const inPalette = menus.commandPalette?.find((item) => item.command === command);
  const others = Object.entries(menus).flatMap(([menu, items]) =>
    menu === 'commandPalette'
      ? []
      : items.filter((item) => item.command === command).flatMap((item) => place(menu, item)),
  );
  const palette = inPalette?.when === 'false' ? [] : ['palette'];
  return [...new Set([...palette, ...others])];
}

/** @throws for a menu of which this says nothing yet. */
function place(menu: string, { when = '', group = '' }: MenuItem): readonly string[] {
  switch (menu) {
    case 'view/title': {
      const view = views[/view == ([\w.]+)/.exec(when)?.[1] ?? ''];
      return [`${group.startsWith('navigation') ? 'title' : '⋯'} of ${view}`];
    }
    case 'view/item/context':
      return Object.entries(rows)
        .filter(([item]) => when.includes(`\\b${item}\\b`))
        .map(([, name]) => `row of ${name}`);
    case 'webview/context':
      return [`menu of ${when.includes('piMcpTool') ? 'a tool' : 'a server'} on a page`];
    case 'editor/title':
      return when.includes('.mcp.json')
        ? ['title of `.mcp.json`']
        : when.includes('conversation')
          ? ['title of a conversation']
          : ['title of a changed file'];
    case 'scm/title':
    case 'scm/change/title':
    case 'scm/resourceState/context':
      return ['Source Control'];
    default: {
      const name = submenus[menu];
      if (name === undefined) {
        throw new Error(`What is the menu ${menu}?`);
      }
      return [name];
    }
  }
}
