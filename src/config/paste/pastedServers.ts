/** Servers from whatever people copy: configuration blocks of other programs, command lines, URLs. Nothing is run. */

import * as l10n from '@vscode/l10n';
import { HumanError } from '../../base/errors.js';
import { defined, isJsonObject, type JsonObject } from '../../base/json.js';
import { readAssignment, refuseCredentials } from './addedServer.js';
import { parseClaudeCommand } from './claudeCommand.js';
import { isInstallLink, serverOfLink } from './installLink.js';
import { serversOfJson } from './pastedJson.js';
import type { PastedServer } from './pastedServer.js';
import { suggestServerName } from './serverName.js';
import { shellWords } from './shellWords.js';

/**
 * Reads a Claude Desktop, Claude Code, VS Code or opencode block (with or without its outer braces), a single entry,
 * `claude mcp add`, `code --add-mcp`, any other command line, a link that adds a server to some client, or a URL.
 * @throws {HumanError} when the text is none of these.
 */
export function parsePastedServers(text: string): readonly PastedServer[] {
  const servers = readServers(text);
  refuseCredentials(servers.flatMap(({ entry }) => Object.values(entry)));
  return servers;
}

function readServers(text: string): readonly PastedServer[] {
  const trimmed = text
    .trim()
    .replace(/^```\w*\n([\s\S]*?)\n?```$/, '$1')
    .trim();
  if (!trimmed) {
    throw nothingToRead();
  }
  if (/^[{"]/.test(trimmed)) {
    return serversOfJson(trimmed);
  }
  if (isInstallLink(trimmed)) {
    return [serverOfLink(trimmed)];
  }
  if (/^https?:\/\/\S+$/.test(trimmed)) {
    return [named({ type: 'http', url: trimmed })];
  }
  return [serverOfCommandLine(trimmed)];
}

function serverOfCommandLine(line: string): PastedServer {
  const words = shellWords(line.replace(/^[$>]\s+/, ''));
  if (words[0] === 'claude' && words[1] === 'mcp') {
    return parseClaudeCommand(words);
  }
  const addMcp = words.indexOf('--add-mcp');
  if (addMcp > 0) {
    return serverOfAddMcp(words[addMcp + 1] ?? '');
  }
  const env: Record<string, string> = {};
  for (let pair = readAssignment(words[0] ?? ''); pair; pair = readAssignment(words[0] ?? '')) {
    env[pair[0]] = pair[1];
    words.shift();
  }
  const [command, ...args] = words;
  if (!command || !looksLikeCommand(command, args)) {
    throw nothingToRead();
  }
  return named(defined({ command, args, env: Object.keys(env).length > 0 ? env : undefined }));
}

/** `code --add-mcp '{"name": "x", "command": …}'` */
function serverOfAddMcp(json: string): PastedServer {
  const [server] = serversOfJson(json);
  const { name, ...entry } = server?.entry ?? {};
  return typeof name === 'string' && isJsonObject(entry) ? { name, entry } : named(entry);
}

function looksLikeCommand(command: string, args: readonly string[]): boolean {
  const isProgram = /^(~?[./\\]|[A-Za-z]:\\)?[\w@.+/\\:${}-]+$/.test(command);
  // prose has words too, but ends in punctuation and rarely starts like a program name
  return isProgram && (args.length > 0 || /[./\\]/.test(command)) && !/[.,;:!?]$/.test(command);
}

function named(entry: JsonObject): PastedServer {
  return { name: suggestServerName(entry), entry };
}

function nothingToRead(): HumanError {
  return new HumanError('paste_unknown', l10n.t('The clipboard holds no MCP server.'), {
    remedy: l10n.t(
      'Copy an "mcpServers" block, a "claude mcp add" or "npx" command line, or the URL of a server.',
    ),
  });
}
