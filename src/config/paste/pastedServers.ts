/** What it is that people paste: configuration blocks of other programs, links, command lines, URLs, packages, or words. Nothing is run. */
import { fileURLToPath } from 'node:url';
import * as l10n from '@vscode/l10n';
import { HumanError, isHumanError } from '../../base/errors.js';
import { isJsonObject } from '../../base/json.js';
import { hiddenAt } from '../../base/text/showHidden.js';
import { parseAddress } from '../launch/addressReach.js';
import { findTokens } from '../secrets/findTokens.js';
import { looksLikeCredential } from '../secrets/secretValues.js';
import {
  hiddenCharacter,
  hiddenIn,
  isUrl,
  noServer,
  type PastedServer,
  type PasteWish,
  readHeader,
  refuseCredentials,
} from './addedServer.js';
import { parseClaudeCommand } from './claudeCommand.js';
import { readCommand } from './commandLine.js';
import { isInstallLink, serverOfLink } from './installLink.js';
import { serversOfClient, serversOfJson } from './pastedJson.js';
import { suggestServerName } from './serverName.js';

export type PasteForm = 'json' | 'link' | 'client' | 'url' | 'command' | 'package' | 'import';

export type PasteReading =
  | { readonly kind: 'empty' }
  /** Words to look for in a registry. */
  | { readonly kind: 'search'; readonly text: string }
  | { readonly kind: 'bundle'; readonly path: string }
  | {
      readonly kind: 'servers';
      readonly form: PasteForm;
      readonly servers: readonly PastedServer[];
    };

/** Characters; more is nothing that anybody copied. */
const maxLength = 256 * 1024;
/** Characters; more are prose. */
const maxSearchLength = 100;
/** Characters of a word that may be a secret of no known shape. */
const minSecretLength = 24;

/**
 * The first that it is of: tables of Codex; JSON, with or without its outer braces; the path of a bundle; a link that adds a server to some client;
 * `claude mcp add`, `code --add-mcp`; a URL; a command line; a package; words.
 * @throws {HumanError} with the offset in `facts.at` where one place is wrong.
 */
export function readPaste(text: string, wish?: PasteWish): PasteReading {
  if (text.length > maxLength) {
    throw new HumanError(
      'paste_too_long',
      l10n.t('The text has more than {0} characters.', maxLength),
      { remedy: l10n.t('Copy the part that describes the server.') },
    );
  }
  const { body, start } = bodyOf(text);
  try {
    const at = hiddenAt(body);
    if (at !== undefined) {
      throw hiddenCharacter(at);
    }
    const reading = readBody(body, wish);
    if (reading.kind === 'servers') {
      const hidden = hiddenIn(reading.servers);
      if (hidden) {
        throw hidden;
      }
      refuseCredentials(reading.servers.flatMap(({ entry }) => Object.values(entry)));
    }
    return reading;
  } catch (error) {
    throw isHumanError(error) ? movedBy(start, error) : error;
  }
}

/** The servers of a text. @throws {HumanError} also when it is only words. */
export function parsePastedServers(text: string, wish?: PasteWish): readonly PastedServer[] {
  const reading = readPaste(text, wish);
  if (reading.kind !== 'servers') {
    throw nothingToRead();
  }
  return reading.servers;
}

/** Without blanks, and the fence of a block of Markdown, around it. */
function bodyOf(text: string): { readonly body: string; readonly start: number } {
  const trimmed = text.trim();
  const [, inner = trimmed] = /^```\w*\n([\s\S]*?)\n?```$/.exec(trimmed) ?? [];
  const body = inner.trim();
  return { body, start: text.indexOf(body) };
}

function movedBy(start: number, { code, message, remedy = '', facts }: HumanError): HumanError {
  const at = facts?.at === undefined ? undefined : facts.at + start;
  return new HumanError(code, message, { remedy, facts: { ...facts, at } });
}

function readBody(body: string, wish: PasteWish | undefined): PasteReading {
  if (body === '') {
    return { kind: 'empty' };
  }
  if (!body.startsWith('{') && /^[ \t]*\[mcp_servers[.\]]/m.test(body)) {
    return { kind: 'servers', form: 'import', servers: serversOfClient(body, 'codex') };
  }
  if (/^(?:[{[]|"[^"\n]*"\s*:)/.test(body)) {
    return { kind: 'servers', form: 'json', servers: serversOfJson(body) };
  }
  if (isInstallLink(body)) {
    return servers('link', serverOfLink(body));
  }
  if (/^https?:/i.test(body)) {
    return servers('url', serverOfUrl(body));
  }
  const { command, words, hasToBe } = readCommand(body, wish);
  if (words[0] === 'claude' && words[1] === 'mcp') {
    return servers('client', parseClaudeCommand(words));
  }
  if (command && /^curl(?:\.exe)?$/i.test(String(command.command))) {
    return servers('url', serverOfCurl(words));
  }
  const addMcp = words.indexOf('--add-mcp');
  if (addMcp > 0) {
    return servers('client', serverOfAddMcp(words[addMcp + 1] ?? ''));
  }
  if (/\.(?:mcpb|dxt)["']?$/i.test(body) && !hasToBe) {
    return { kind: 'bundle', path: pathIn(body) };
  }
  if (command) {
    return servers('command', { name: suggestServerName(command), entry: command });
  }
  return readWords(body, wish);
}

function readWords(body: string, wish: PasteWish | undefined): PasteReading {
  const runner = wish === 'search' ? undefined : runnerOf(body);
  if (runner) {
    return servers('package', { name: suggestServerName(runner), entry: runner });
  }
  if (
    findTokens(body).length > 0 ||
    body.split(/\s+/).some((word) => word.length >= minSecretLength && looksLikeCredential(word))
  ) {
    throw new HumanError('paste_secret', l10n.t('This looks like a secret.'), {
      remedy: l10n.t('Paste the server that it is for; its card asks for secrets.'),
    });
  }
  if (body.includes('\n') || body.length > maxSearchLength) {
    throw nothingToRead();
  }
  return { kind: 'search', text: body };
}

function servers(form: PasteForm, server: PastedServer): PasteReading {
  return { kind: 'servers', form, servers: [server] };
}

function serverOfUrl(url: string): PastedServer {
  const at = url.search(/\s/);
  const address = parseAddress(url);
  if (at !== -1 || (!address && !url.includes('${'))) {
    throw new HumanError('paste_unknown', l10n.t('This is not a valid URL.'), {
      remedy: l10n.t('Copy the part that describes the server.'),
      facts: { at: at === -1 ? undefined : at },
    });
  }
  if (/\.(?:mcpb|dxt)$/i.test(address?.pathname ?? '')) {
    throw bundle();
  }
  const entry = { type: 'http', url };
  return { name: suggestServerName(entry), entry };
}

/** An option of curl that has a value, which may look like an address of the server; a short one may have it attached. */
const curlOption =
  /^(?:-[^-AbcCdDeEFHKmoPQrtTuUwxXyYz]*([AbcCdDeEFHKmoPQrtTuUwxXyYz])(.*)|--((?:data|form|json|proxy|preproxy|referer|header|cookie|user|request|output|connect-to|resolve)(?:-\w+)*))$/s;
/** Headers that each request has of its own. */
const ofRequest = /^(?:accept|content-.*|host|last-event-id|mcp-.*)$/i;

/** A request to a server, as its documentation shows it: its address and headers, without what it sends. */
function serverOfCurl(words: readonly string[]): PastedServer {
  const headers: (readonly [string, string])[] = [];
  let url: string | undefined;
  for (let at = 1; at < words.length; at++) {
    const word = words[at] ?? '';
    const [option, letter, attached, name] = curlOption.exec(word) ?? [];
    const value = option === undefined ? word : attached || (words[++at] ?? '');
    const header = letter === 'H' || name === 'header' ? readHeader(value) : undefined;
    if (header && !ofRequest.test(header[0])) {
      headers.push(header);
    }
    url ??= isUrl(word) ? word : undefined;
  }
  if (url === undefined) {
    throw noServer('paste_no_server');
  }
  const { name, entry } = serverOfUrl(url);
  const given = headers.length > 0 ? { headers: Object.fromEntries(headers) } : {};
  return { name, entry: { ...entry, ...given } };
}

/** `code --add-mcp '{"name": "x", "command": …}'` */
function serverOfAddMcp(json: string): PastedServer {
  const [server] = serversOfJson(json);
  const { name, ...entry } = server?.entry ?? {};
  return typeof name === 'string' && isJsonObject(entry)
    ? { name, entry }
    : { name: suggestServerName(entry), entry };
}

/** What starts a package that is named alone. */
function runnerOf(text: string) {
  if (/^(?:@[\w.-]+\/[\w.-]+(?:@[\w.+-]+)?|[\w.-]+@\d[\w.+-]*)$/.test(text)) {
    return { command: 'npx', args: ['-y', text] };
  }
  return /^[\w.-]+(?:\[[\w,.-]+\])?==[\w.+!-]+$/.test(text)
    ? { command: 'uvx', args: [text] }
    : undefined;
}

/** A path may be quoted, or written as an address of this machine. */
function pathIn(body: string): string {
  const path = body.replace(/^(["'])(.*)\1$/, '$2');
  try {
    return /^file:\/\/\//i.test(path) ? fileURLToPath(path) : path;
  } catch {
    // such as one of another system: then there is no such file
    return path;
  }
}

function bundle(): HumanError {
  return new HumanError('paste_bundle', l10n.t('A bundle (.mcpb) is not fetched from a URL.'), {
    remedy: l10n.t('Download the bundle, then open it on this page.'),
  });
}

function nothingToRead(): HumanError {
  return noServer('paste_unknown');
}
