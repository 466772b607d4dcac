import * as l10n from '@vscode/l10n';
import { isJsonObject } from '../../base/json.js';
import type {
  HttpTransportPreference,
  McpHttpLaunch,
  McpStdioLaunch,
  ProtocolPreference,
} from '../definition.js';
import { literalSkeleton } from '../launch/variables.js';
import { httpAddress, mustBe, ofServer, required } from '../sentences.js';
import type { EntryReader } from './entryReader.js';
import { parseOAuth } from './parseOAuth.js';

/** Reports what is wrong to the reader; `undefined` when the launch cannot be used. */
export function parseStdioLaunch(reader: EntryReader): McpStdioLaunch | undefined {
  const argv = readArgv(reader);
  const env = reader.map('env');
  const cwd = reader.string('cwd');
  const envFile = reader.string('envFile');
  const inheritEnv = readFlag(reader, 'inheritEnv');
  const [command, ...args] = argv;
  reportWireOfOtherKind(reader, ['stdio', 'local']);
  reader.boolean('ignoreCertificateErrors', 'warning');
  if (command === undefined || reader.hasErrors) {
    return undefined;
  }
  return {
    kind: 'stdio',
    command,
    args,
    env,
    cwd: cwd || undefined,
    envFile: envFile || undefined,
    inheritEnv,
    ...protocolVersion(reader),
  };
}

/** Reports what is wrong to the reader; `undefined` when the launch cannot be used. */
export function parseHttpLaunch(reader: EntryReader): McpHttpLaunch | undefined {
  const url = readUrl(reader);
  const headers = reader.map('headers');
  const bearerToken = reader.string('bearerToken');
  const bearerTokenEnv = reader.string('bearerTokenEnv');
  const auth = readAuth(reader);
  const oauth = parseOAuth(reader);
  const transport = readTransport(reader);
  if (url === undefined || reader.hasErrors) {
    return undefined;
  }
  return {
    kind: 'http',
    url,
    transport,
    headers,
    ignoreCertificateErrors: readFlag(reader, 'ignoreCertificateErrors'),
    bearerToken,
    bearerTokenEnv,
    auth,
    oauth,
    ...protocolVersion(reader),
  };
}

/** `command` may be the whole argv, as opencode writes it. */
function readArgv(reader: EntryReader): readonly string[] {
  const args = reader.strings('args', 'error') ?? [];
  const isArray = reader.get('command')?.valueNode.type === 'array';
  const command = isArray ? reader.strings('command', 'error') : reader.string('command');
  const argv = command === undefined ? [] : [command, args].flat();
  if (command !== undefined && !argv[0]?.trim()) {
    reader.report(
      'empty-command',
      'error',
      ofServer(reader.server, required('command')),
      l10n.t('Correct the value.'),
      reader.get('command')?.valueNode,
    );
  }
  return argv;
}

function readUrl(reader: EntryReader): string | undefined {
  const url = reader.string('url');
  if (url !== undefined && !isHttpUrl(url)) {
    reader.report(
      'bad-url',
      'error',
      ofServer(reader.server, mustBe('url', httpAddress)),
      l10n.t('Correct the value.'),
      reader.get('url')?.valueNode,
    );
  }
  return url;
}

/** Checks what stands outside of variables; an address that starts with a variable is judged when it is known. */
function isHttpUrl(url: string): boolean {
  const { text, startsWithVariable } = literalSkeleton(url, '1');
  if (startsWithVariable) {
    return true;
  }
  return URL.canParse(text) && /^https?:\/\//i.test(text);
}

function readAuth(reader: EntryReader): McpHttpLaunch['auth'] {
  const value = reader.value('auth');
  if (value === undefined || value === 'bearer' || value === 'oauth' || value === false) {
    return value;
  }
  // as Cursor describes a client
  if (isJsonObject(value)) {
    return 'oauth';
  }
  reader.unknownValue('auth', 'error');
  return undefined;
}

function readTransport(reader: EntryReader): HttpTransportPreference {
  const written = reader.value('transport');
  if (written === undefined) {
    return readType(reader);
  }
  if (written === 'auto' || written === 'streamable-http' || written === 'sse') {
    return written;
  }
  if (written === 'http') {
    return 'auto';
  }
  if (written === 'stdio') {
    reportWireOfOtherKind(reader, []);
  } else {
    reader.unknownValue('transport', 'error');
  }
  return 'auto';
}

function readType(reader: EntryReader): HttpTransportPreference {
  const type = reader.value('type');
  if (type === 'stdio' || type === 'local') {
    reportWireOfOtherKind(reader, []);
  } else if (!transportOfType(type)) {
    reader.unknownValue('type', 'warning');
  }
  return transportOfType(type) ?? 'auto';
}

/** How to speak to a remote server whose entry has no `transport`; `undefined` for what is no type of one. */
export function transportOfType(type: unknown): HttpTransportPreference | undefined {
  switch (type) {
    case 'sse':
      return 'sse';
    case 'streamable-http':
    case 'streamableHttp':
      return 'streamable-http';
    case undefined:
    case 'http':
    case 'remote':
      return 'auto';
    default:
      return undefined;
  }
}

/** `type` or `transport` contradicts `command` or `url`, which decide. */
function reportWireOfOtherKind(reader: EntryReader, fitting: readonly string[]): void {
  for (const name of ['type', 'transport']) {
    const value = reader.value(name);
    const isContradiction =
      fitting.length > 0
        ? typeof value !== 'string' || !fitting.includes(value)
        : value === 'stdio' || value === 'local';
    if (value !== undefined && value !== 'auto' && isContradiction) {
      reader.uselessField('kind-contradiction', 'warning', name, reader.get(name)?.valueNode);
    }
  }
}

function readFlag(reader: EntryReader, name: string): boolean {
  return reader.boolean(name, 'warning') ?? reader.fields.defaultOf<boolean>(name);
}

function protocolVersion(reader: EntryReader): { readonly protocolVersion?: ProtocolPreference } {
  const field = reader.fields.find('protocolVersion');
  const value = field && reader.option(field);
  return value === undefined ? {} : { protocolVersion: value as ProtocolPreference };
}
