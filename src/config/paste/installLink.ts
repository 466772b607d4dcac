/** Links by which pages offer a server to a client: VS Code, Cursor, LM Studio, goose, Visual Studio, and ours. */
import * as l10n from '@vscode/l10n';
import { HumanError } from '../../base/errors.js';
import { defined, isJsonObject, type JsonObject, parseJsonObject } from '../../base/json.js';
import { hidesText } from '../../base/text/showHidden.js';
import { parseAddress } from '../launch/addressReach.js';
import { isUrl, noServer, type PastedServer, refuseCredentials, textsIn } from './addedServer.js';
import { suggestServerName } from './serverName.js';

/** More is no link of a button, but an attempt to hide something. */
const maxLinkLength = 32 * 1024;

/** Fields of an entry that a link may set; others, such as `envFile`, are left out. */
const linkFields = ['type', 'command', 'args', 'env', 'cwd', 'url', 'headers'] as const;

const shapes: readonly {
  readonly is: (url: URL) => boolean;
  readonly read: (url: URL) => Described | undefined;
}[] = [
  {
    // vscode:mcp/install?{…}
    is: ({ protocol, pathname }) =>
      /^vscode(-insiders)?:$/.test(protocol) && pathname === 'mcp/install',
    read: (url) => fromJson(queryText(url)),
  },
  {
    // vscode://pi-mcp.pi-mcp/add?name=…&config=…
    is: ({ protocol, host, pathname }) =>
      /^vscode[\w-]*:$|^code-oss:$/.test(protocol) &&
      host === 'pi-mcp.pi-mcp' &&
      pathname === '/add',
    read: fromConfig,
  },
  {
    is: ({ host, pathname }) =>
      /^(insiders\.)?vscode\.dev$/.test(host) && pathname === '/redirect/mcp/install',
    read: fromConfig,
  },
  {
    is: ({ protocol, host, pathname }) =>
      protocol === 'cursor:' && host === 'anysphere.cursor-deeplink' && pathname === '/mcp/install',
    read: fromConfig,
  },
  {
    is: ({ host, pathname }) =>
      /^(www\.)?cursor\.com$/.test(host) && /\/install-mcp$/.test(pathname),
    read: fromConfig,
  },
  {
    is: ({ protocol, host }) => protocol === 'lmstudio:' && host === 'add_mcp',
    read: fromConfig,
  },
  {
    is: ({ protocol, host }) => protocol === 'goose:' && host === 'extension',
    read: fromGoose,
  },
  {
    is: ({ host, pathname }) => host === 'vs-open.link' && pathname === '/mcp-install',
    read: (url) => fromJson(queryText(url)),
  },
];

interface Described {
  readonly name: string | undefined;
  readonly config: JsonObject;
}

/** Whether the text is one of the links, whatever it holds. */
export function isInstallLink(text: string): boolean {
  const url = urlOf(text);
  return url !== undefined && shapes.some(({ is }) => is(url));
}

/**
 * The server of a link: data, which nothing is started by.
 * @throws {HumanError} when the link is none of these, is cut, or holds what nobody can see.
 */
export function serverOfLink(text: string): PastedServer {
  const url = urlOf(text);
  const described = url && shapes.find(({ is }) => is(url))?.read(url);
  const entry = described && entryOf(described.config);
  if (!entry) {
    throw noServer('link_unknown');
  }
  const inner = typeof described.config.name === 'string' ? described.config.name : undefined;
  const name = described.name ?? inner;
  const texts = [name ?? '', ...textsIn(entry)];
  if (texts.some(hidesText)) {
    throw new HumanError('link_hides', l10n.t('The text holds characters that cannot be seen.'), {
      remedy: l10n.t('Remove them, or type that part yourself.'),
    });
  }
  refuseCredentials(texts);
  return { name: name?.slice(0, 100) || suggestServerName(entry), entry };
}

/**
 * The server of our own link as VS Code hands it over: its query is decoded, so that an `&` may be part of a value.
 * @throws {HumanError} as {@link serverOfLink} does.
 */
export function serverOfQuery(path: string, query: string): PastedServer {
  const text = query.slice(0, maxLinkLength);
  const [, first, config = '', last] =
    /^name=([^&]*)&config=([\s\S]*)$/.exec(text) ??
    /^()config=([\s\S]*?)(?:&name=([^&{}"]*))?$/.exec(text) ??
    [];
  const params = new URLSearchParams({ name: first || last || '', config });
  return serverOfLink(`vscode://pi-mcp.pi-mcp${path}?${params}`);
}

function urlOf(text: string): URL | undefined {
  const trimmed = text.trim();
  const url = trimmed.length > maxLinkLength ? undefined : parseAddress(trimmed);
  // insiders.vscode.dev/redirect?url=… leads to one of the others
  const inner = url?.pathname === '/redirect' ? url.searchParams.get('url') : null;
  const isRedirect = inner !== null && /^(insiders\.)?vscode\.dev$/.test(url?.host ?? '');
  return isRedirect ? (parseAddress(inner) ?? url) : url;
}

function fromConfig(url: URL): Described | undefined {
  const config = url.searchParams.get('config') ?? '';
  const described = fromJson(config);
  const name = url.searchParams.get('name');
  return described && { ...described, name: name === null || name === '' ? undefined : name };
}

/** JSON as it is, encoded once more, or as base64. */
function fromJson(text: string): Described | undefined {
  const spellings = [text, decoded(text), Buffer.from(text, 'base64').toString('utf8')];
  for (const spelling of spellings) {
    const config = parseJsonObject(spelling);
    if (config) {
      return { name: undefined, config };
    }
  }
  const twice = parseJsonObject(Buffer.from(decoded(text), 'base64').toString('utf8'));
  return twice && { name: undefined, config: twice };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // a percent sign of its own
    return text;
  }
}

/** The whole query, which is no list of names and values. */
function queryText({ search }: URL): string {
  return decoded(search.slice(1));
}

/** https://block.github.io/goose/docs/getting-started/using-extensions */
function fromGoose({ searchParams }: URL): Described | undefined {
  const name = searchParams.get('name') ?? searchParams.get('id') ?? undefined;
  const url = searchParams.get('url');
  const command = searchParams.get('cmd');
  if (url !== null) {
    return { name, config: { type: 'http', url } };
  }
  const pairs = searchParams.getAll('env').map((pair) => {
    const at = pair.indexOf('=');
    return at > 0 ? [pair.slice(0, at), pair.slice(at + 1)] : [pair, ''];
  });
  const env: JsonObject = Object.fromEntries(pairs);
  return command === null
    ? undefined
    : {
        name,
        config: defined({
          command,
          args: searchParams.getAll('arg'),
          env: pairs.length > 0 ? env : undefined,
        }),
      };
}

function entryOf(config: JsonObject): JsonObject | undefined {
  const one = isJsonObject(config.config) ? config.config : config;
  const known = linkFields.flatMap((field) =>
    one[field] === undefined ? [] : [[field, one[field]]],
  );
  const entry: JsonObject = Object.fromEntries(known);
  const isUsable =
    typeof entry.command === 'string' || (typeof entry.url === 'string' && isUrl(entry.url));
  return isUsable ? entry : undefined;
}
