import { isJsonObject, type JsonObject } from '../../../base/json.js';
import type { McpIcon } from '../../mcpTypes.js';

/** Characters of a `data:` address; icons are small. */
export const maxIconLength = 64 * 1024;
const maxAddressLength = 2048;
/** More are not looked at. */
const maxIcons = 20;
const dataPattern = /^data:image\/(png|jpe?g|webp|svg\+xml)((?:;[\w=.+-]+)*),(.*)$/is;

/** The `icons` of anything that a server lists: at most one for each kind of theme. */
export function parseIcons(item: JsonObject): { readonly icons?: readonly McpIcon[] } {
  if (!Array.isArray(item.icons)) {
    return {};
  }
  const byTheme = new Map<McpIcon['theme'], McpIcon>();
  for (const candidate of item.icons.slice(0, maxIcons)) {
    const icon = parseIcon(candidate);
    const known = icon && byTheme.get(icon.theme);
    if (icon && (!known || (isData(icon) && !isData(known)))) {
      byTheme.set(icon.theme, icon);
    }
  }
  return byTheme.size > 0 ? { icons: [...byTheme.values()] } : {};
}

/** A `data:` address of an image that our pages show, in one form; `undefined` for any other. */
export function imageData(address: string): string | undefined {
  const match = address.length <= maxIconLength ? dataPattern.exec(address) : undefined;
  if (!match) {
    return undefined;
  }
  const [, type = '', parameters = '', payload = ''] = match;
  const base64 = /;base64$/i.test(parameters) ? asBase64(payload) : encodeText(payload);
  return base64 && `data:image/${type.toLowerCase().replace('jpg', 'jpeg')};base64,${base64}`;
}

function parseIcon(value: unknown): McpIcon | undefined {
  if (!isJsonObject(value) || typeof value.src !== 'string') {
    return undefined;
  }
  const src = imageData(value.src) ?? pictureAddress(value.src);
  const { theme } = value;
  return src === undefined
    ? undefined
    : { src, theme: theme === 'light' || theme === 'dark' ? theme : undefined };
}

function isData({ src }: McpIcon): boolean {
  return src.startsWith('data:');
}

function pictureAddress(src: string): string | undefined {
  const isUsable = src.length <= maxAddressLength && /^https:\/\//i.test(src) && URL.canParse(src);
  return isUsable ? new URL(src).href : undefined;
}

function asBase64(payload: string): string | undefined {
  return /^[A-Za-z0-9+/]+={0,2}$/.test(payload) ? payload : undefined;
}

function encodeText(payload: string): string | undefined {
  try {
    return Buffer.from(decodeURIComponent(payload), 'utf8').toString('base64');
  } catch {
    // not percent-encoded
    return undefined;
  }
}
