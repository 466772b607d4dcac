/** Icons of what a server offers. Pages and the tree get images themselves, never an address to load. */
import * as l10n from '@vscode/l10n';
import { Limiter } from '../../base/async/sequencer.js';
import type { McpSession } from '../connection/session/engine.js';
import type { McpCatalog, McpIcon } from '../mcpTypes.js';

/** Characters of all icons of one server. */
const maxTotal = 1024 * 1024;
const maxLoads = 100;
const parallelLoads = 4;

interface WithIcons {
  readonly icons?: readonly McpIcon[];
}

/** `data:` images for both kinds of theme; `undefined` without a usable one. */
export function iconOf(
  item: WithIcons | undefined,
): { readonly light: string; readonly dark: string } | undefined {
  const usable = item?.icons?.filter(({ src }) => src.startsWith('data:')) ?? [];
  const any = usable.find(({ theme }) => theme === undefined) ?? usable[0];
  if (!any) {
    return undefined;
  }
  const light = usable.find(({ theme }) => theme === 'light') ?? any;
  const dark = usable.find(({ theme }) => theme === 'dark') ?? any;
  return { light: light.src, dark: dark.src };
}

/** Leaves out the icons beyond the bound of one server. Items without a change stay the same objects. */
export function boundIcons(catalog: McpCatalog): McpCatalog {
  let total = 0;
  const bounded = mapIcons(catalog, (icon) => {
    total += icon.src.length;
    return total <= maxTotal ? icon : undefined;
  });
  if (total <= maxTotal) {
    return catalog;
  }
  const notice = l10n.t('Some icons are left out: the server sends more than {0} KB.', 1024);
  return { ...bounded, notices: [...catalog.notices, notice] };
}

/** Loads what the server itself serves; other addresses are forgotten. Never rejects. */
export async function loadIcons(
  session: Pick<McpSession, 'readIcon'>,
  catalog: McpCatalog,
  onDidLoad: (complete: McpCatalog) => void,
): Promise<void> {
  const addresses = new Set<string>();
  mapIcons(catalog, (icon) => {
    if (!icon.src.startsWith('data:')) {
      addresses.add(icon.src);
    }
    return icon;
  });
  if (!session.readIcon || addresses.size === 0) {
    return;
  }
  const limiter = new Limiter(parallelLoads);
  const images = new Map<string, string>();
  await Promise.all(
    [...addresses].slice(0, maxLoads).map((address) =>
      limiter.run(async () => {
        const image = await session.readIcon?.(address);
        if (image) {
          images.set(address, image);
        }
      }),
    ),
  );
  if (images.size > 0) {
    const complete = mapIcons(catalog, (icon) => {
      const src = icon.src.startsWith('data:') ? icon.src : images.get(icon.src);
      return src === icon.src ? icon : src && { ...icon, src };
    });
    onDidLoad(boundIcons(complete));
  }
}

function mapIcons(
  catalog: McpCatalog,
  change: (icon: McpIcon) => McpIcon | '' | undefined,
): McpCatalog {
  const visit = <T extends WithIcons>(item: T): T => {
    if (!item.icons) {
      return item;
    }
    const icons = item.icons.flatMap((icon) => change(icon) || []);
    const isSame = icons.every((icon, index) => icon === item.icons?.[index]);
    return isSame && icons.length === item.icons.length ? item : { ...item, icons };
  };
  const { serverInfo } = catalog;
  return {
    ...catalog,
    serverInfo: serverInfo && visit(serverInfo),
    tools: catalog.tools.map(visit),
    resources: catalog.resources.map(visit),
    resourceTemplates: catalog.resourceTemplates.map(visit),
    prompts: catalog.prompts.map(visit),
  };
}
