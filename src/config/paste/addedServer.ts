/** The entry of a server from the parts that commands such as `mcp add` name. */
import * as l10n from '@vscode/l10n';
import { HumanError } from '../../base/errors.js';
import type { JsonObject } from '../../base/json.js';
import { hiddenAt } from '../../base/text/showHidden.js';
import type { ConfigInput } from '../definition.js';
import { holdsCredentials } from '../launch/plainWords.js';
import { credentialsInAddress } from '../sentences.js';

export interface PastedServer {
  readonly name: string;
  /** As it would stand in a configuration file. */
  readonly entry: JsonObject;
  /** That its block declares. Default: none. */
  readonly declared?: readonly ConfigInput[];
  /** Path of the file of another program that it was found in. */
  readonly from?: string;
}

/** What the user says that plain words are. */
export type PasteWish = 'command' | 'search';

export interface AddedParts {
  readonly name: string;
  /** A program, or an address. */
  readonly target: string;
  readonly args: readonly string[];
  /** `http`, `sse` or `stdio`; default: as the target looks. */
  readonly transport: string | undefined;
  readonly env: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
}

export function serverOfParts(parts: AddedParts): PastedServer {
  const { name, target, args, transport, env, headers } = parts;
  if (isRemote(parts)) {
    return {
      name,
      entry: { type: transport ?? 'http', url: target, ...optional('headers', headers) },
    };
  }
  return { name, entry: { command: target, args, ...optional('env', env) } };
}

export function isRemote({ target, transport }: Pick<AddedParts, 'target' | 'transport'>): boolean {
  return transport === 'http' || transport === 'sse' || (!transport && isUrl(target));
}

export function isUrl(text: string | undefined): boolean {
  return /^https?:\/\//i.test(text ?? '');
}

/** @throws {HumanError} when one of the texts is an address with a user name or password in it. */
export function refuseCredentials(texts: readonly unknown[]): void {
  if (texts.some((text) => typeof text === 'string' && isUrl(text) && holdsCredentials(text))) {
    const { message, remedy } = credentialsInAddress();
    throw new HumanError('credentials_in_address', message, { remedy });
  }
}

/** @param remedy Default: what can be pasted. */
export function noServer(
  code:
    | 'link_unknown'
    | 'paste_claude_verb'
    | 'paste_incomplete'
    | 'paste_no_server'
    | 'paste_unknown',
  remedy = l10n.t(
    'Paste an "mcpServers" block, a "claude mcp add" or "npx" command line, or the URL of a server.',
  ),
): HumanError {
  return new HumanError(code, l10n.t('The text describes no MCP server.'), { remedy });
}

/** What is wrong when one of the texts, keys included, holds what cannot be seen. */
export function hiddenIn(value: unknown): HumanError | undefined {
  return textsIn(value).some((text) => hiddenAt(text) !== undefined)
    ? hiddenCharacter(undefined)
    : undefined;
}

/** @param at where it stands in what was pasted. */
export function hiddenCharacter(at: number | undefined): HumanError {
  return new HumanError('paste_hidden', l10n.t('The text holds characters that cannot be seen.'), {
    remedy: l10n.t('Remove them, or type that part yourself.'),
    facts: { at },
  });
}

/** Keys, too. */
export function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') {
    return [value];
  }
  return typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, item]) => [key, ...textsIn(item)])
    : [];
}

/** `KEY=value`; `undefined` for anything else. */
export function readAssignment(text: string): readonly [string, string] | undefined {
  const at = text.indexOf('=');
  return /^[A-Za-z_]\w*=/.test(text) ? [text.slice(0, at), text.slice(at + 1)] : undefined;
}

/** `Name: value`; `undefined` for anything else. */
export function readHeader(text: string): readonly [string, string] | undefined {
  const colon = text.indexOf(':');
  return colon > 0 ? [text.slice(0, colon).trim(), text.slice(colon + 1).trim()] : undefined;
}

function optional(key: string, map: Readonly<Record<string, string>>): JsonObject {
  return Object.keys(map).length > 0 ? { [key]: map } : {};
}
