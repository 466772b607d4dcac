import { encodeAnyText, toWellFormed } from '../../../src/base/text/wellFormed.js';
import { parseArguments } from '../../../src/cli/arguments.js';
import { removeJsonProperty, setJsonValue } from '../../../src/config/edit/jsonEdit.js';
import { exportServers } from '../../../src/config/export/exportServers.js';
import { syntaxFixes } from '../../../src/config/fixes/syntaxFixes.js';
import { withInputNames } from '../../../src/config/imports/importableServers.js';
import { parseEnvFile } from '../../../src/config/launch/envFile.js';
import {
  commandInValue,
  literalSkeleton,
  variablesIn,
} from '../../../src/config/launch/variables.js';
import { isPinned, packageOf } from '../../../src/config/lint/packageSpec.js';
import { parseCodexConfig } from '../../../src/config/parse/codex.js';
import { parseJsonDocument } from '../../../src/config/parse/jsonDocument.js';
import { type ParseOptions, parseConfig } from '../../../src/config/parse/parseConfig.js';
import { serverOfQuery } from '../../../src/config/paste/installLink.js';
import { parsePastedServers } from '../../../src/config/paste/pastedServers.js';
import { suggestServerName } from '../../../src/config/paste/serverName.js';
import { shellWords } from '../../../src/config/paste/shellWords.js';
import { findTokens, tokenService } from '../../../src/config/secrets/findTokens.js';
import {
  redactArg,
  redactEntry,
  redactUrl,
  redactValue,
  secretLead,
  secretsInArgs,
  secretsInUrl,
} from '../../../src/config/secrets/redact.js';
import { createMask, maskText } from '../../../src/config/secrets/secretMask.js';
import { restoreSecrets } from '../../../src/config/secrets/secretMerge.js';
import { isSecretName } from '../../../src/config/secrets/secretNames.js';
import {
  isInertSecret,
  isLiteral,
  isPlaceholder,
  looksLikeCredential,
} from '../../../src/config/secrets/secretValues.js';
import { bundleWay } from '../../../src/mcp/bundles/bundleWay.js';
import { readManifest } from '../../../src/mcp/bundles/manifest.js';
import { startingClient } from '../../../src/mcp/otherClients/foreignRuns.js';
import { normalArgv } from '../../../src/mcp/otherClients/normalArgv.js';
import { hasToolOf } from '../../../src/mcp/otherClients/prediction.js';
import { installEntry } from '../../../src/mcp/registry/installEntry.js';
import { installWays } from '../../../src/mcp/registry/installWay.js';
import { readServer } from '../../../src/mcp/registry/serverJson.js';
import { traceContext } from '../../../src/mcp/traceContext.js';
import { commandLine } from '../../../src/platform/commandLine.js';
import { parseNpxCommand } from '../../../src/platform/npx/npxCommand.js';
import { type Parser, repeated } from './kinds.js';

const place: ParseOptions = { path: '/w/.mcp.json', layer: 'project' };
const stored = { url: 'https://u:p@h/?token=x&key=y', args: ['--token', 'x', 'TOKEN=y'] };
const bundleStart =
  '{"manifest_version":"0.3","name":"a","version":"1","description":"a","author":{"name":"a"},"server":{"type":"node","entry_point":"a","mcp_config":{';
const bundlePlaces = { folder: '/b', homeDir: '/h', platform: 'linux' } as const;

const jsonFrames: Parser['frames'] = [
  ['{"mcpServers":{"a":{"command":"', '"}}}'],
  ['{"mcpServers":{"a":{"command":"x",', '}}}'],
  ['{"mcpServers":{', ''],
  ['[', ''],
];

const jsonInputs: Parser['inputs'] = {
  servers: (size) =>
    `{"mcpServers":{${repeated((index) => `"s${index}":{"command":"x"},`)(size)}}}`,
  'servers of one name': (size) =>
    `{"mcpServers":{${repeated(() => '"s":{"command":"x"},')(size)}}}`,
  'unread blocks': (size) => `{${repeated((index) => `"b${index}":{"a":{"url":1}},`)(size)}}`,
  fields: (size) => `{"mcpServers":{"a":{${repeated((index) => `"f${index}":1,`)(size)}}}}`,
  'fields of one name': (size) => `{"mcpServers":{"a":{${repeated(() => '"args":[],')(size)}}}}`,
  arguments: (size) =>
    `{"mcpServers":{"a":{"command":"x","args":[${repeated(() => '"",')(size)}]}}}`,
  variables: (size) =>
    `{"mcpServers":{"a":{"command":"x","env":{${repeated((index) => `"V${index}":"$env:X",`)(size)}}}}}`,
  settings: (size) => `{"settings":{${repeated((index) => `"s${index}":1,`)(size)}}}`,
  imports: (size) => `{"imports":[${repeated(() => '"cursor",')(size)}]}`,
  inputs: (size) => `{"inputs":[${repeated((index) => `{"id":"i${index}"},`)(size)}]}`,
};

const nowhere = {
  workingDirectory: async () => '/w',
  realPath: async (path: string) => path,
};

export const ofConfiguration: readonly Parser[] = [
  {
    name: 'parseJsonDocument',
    maxOwnSize: 512 * 1024,
    run: parseJsonDocument,
    frames: jsonFrames,
    inputs: jsonInputs,
  },
  {
    name: 'syntaxFixes',
    maxOwnSize: 512 * 1024,
    run: syntaxFixes,
    frames: jsonFrames,
    inputs: jsonInputs,
  },
  {
    name: 'parseConfig',
    maxOwnSize: 512 * 1024,
    run: (text) => parseConfig(text, place),
    frames: jsonFrames,
    inputs: jsonInputs,
  },
  {
    name: 'parseEnvFile',
    maxOwnSize: 64 * 1024,
    run: parseEnvFile,
    frames: [
      ['A="', ''],
      ["A='", "'"],
      ['export A=', ''],
      ['A=x ', ''],
    ],
    inputs: {
      names: repeated((index) => `A${index}=x\n`),
      escapes: repeated(() => 'A="\\n\\"\n'),
      spaces: repeated(() => 'export \t '),
    },
  },
  {
    name: 'parseCodexConfig',
    maxOwnSize: 512 * 1024,
    run: (text) => parseCodexConfig(text, { ...place, layer: 'import' }),
    frames: [
      ['a = "', ''],
      ['a = [', ''],
      ['[mcp_servers."', '"]'],
    ],
    inputs: {
      servers: repeated((index) => `[mcp_servers.s${index}]\ncommand = "x"\n`),
      'quoted servers': repeated((index) => `[mcp_servers."s ${index}"]\ncommand = "x"\n`),
      'no headers': (size) => `a = "${'[mcp_servers.'.repeat(size / 13)}"`,
    },
  },
  {
    name: 'setJsonValue',
    run: (text) => setJsonValue(`{"a": {${text}`, ['a', 'b'], { c: 1 }),
    frames: [['"x":1 ', '}}']],
  },
  {
    name: 'removeJsonProperty',
    run: (text) => removeJsonProperty(text, ['a']),
    frames: [['{"a":1,', '}']],
    inputs: {
      'one name': (size) => `{${repeated(() => '"a":1,')(size)}"b":1}`,
      'one name on lines': (size) => `{\n${repeated(() => '  "a": 1,\n')(size)}  "b": 1\n}`,
    },
  },
  {
    name: 'withInputNames',
    run: (text) => withInputNames({ env: { A: text } }, new Map([['a', 'b']])),
    frames: [['${input:', '}']],
    inputs: { 'many beginnings': repeated(() => '${input:') },
  },
  { name: 'variablesIn', run: variablesIn, frames: [['${A:-', '']] },
  { name: 'literalSkeleton', run: (text) => literalSkeleton(text, 'x') },
  { name: 'commandOf', run: commandInValue, frames: [['!', '']] },
  { name: 'redactArg', run: (text) => redactArg(text, undefined), frames: [['a', ';']] },
  { name: 'redactArg behind a flag', run: (text) => redactArg(text, '--token') },
  {
    name: 'redactArg behind hostile text',
    run: (text) => redactArg('x', text),
    frames: [['--', '']],
  },
  { name: 'redactArg of a header', run: (text) => redactArg(text, '-H'), frames: [['a:', '']] },
  { name: 'secretsInArgs', run: (text) => secretsInArgs([text, text]), frames: [['h://', '']] },
  { name: 'secretLead', run: (text) => secretLead(text, undefined), frames: [['TOKEN=', '']] },
  { name: 'redactUrl', run: redactUrl, frames: [['https://h/?', '']] },
  { name: 'secretsInUrl', run: secretsInUrl, frames: [['https://h/?', '']] },
  { name: 'isSecretName', run: isSecretName },
  { name: 'isLiteral', run: isLiteral, frames: [['${', '']] },
  {
    name: 'findTokens',
    run: findTokens,
    frames: [
      ['eyJ', ''],
      ['-----BEGIN PRIVATE KEY-----', ''],
    ],
    inputs: {
      'many keys': repeated(() => '-----BEGIN PRIVATE KEY-----'),
      'many lines of keys': repeated(() => 'sk-sk_AKIA0xox'),
      'many beginnings': repeated(() => 'eyJ-'),
      'many halves': repeated(() => 'eyJaaaaaaaaaa.'),
      'one long half': (size) => `eyJ${'a'.repeat(size)}`,
    },
  },
  { name: 'redactEntry', run: (text) => redactEntry({ url: text, args: [text], x: text }) },
  {
    name: 'restoreSecrets',
    run: (text) =>
      restoreSecrets({ url: `https://h/?token=***REDACTED***${text}`, args: [text] }, stored),
  },
  {
    name: 'restoreSecrets from hostile text',
    run: (text) => restoreSecrets({ url: 'https://h/?token=***REDACTED***' }, { url: text }),
    frames: [['https://h/?', '']],
  },
  { name: 'issuerOf', run: tokenService, frames: [['sk-', '']] },
  { name: 'isPlaceholder', run: isPlaceholder, frames: [['<', '']] },
  { name: 'looksLikeCredential', run: looksLikeCredential },
  { name: 'isInertSecret', run: isInertSecret, frames: [['-----BEGIN PRIVATE KEY-----', '']] },
  {
    name: 'redactValue',
    run: (text) => redactValue(text, 'ANY'),
    frames: [['postgres://', '']],
    inputs: {
      'many names': repeated(() => 'token='),
      'many flags': repeated(() => '--api-key '),
      'many addresses': repeated(() => 'a://b:c@'),
      'many defaults': repeated(() => 'token=${'),
    },
  },
  { name: 'redactValue under a hostile name', run: (text) => redactValue('value', text) },
  {
    name: 'maskText',
    run: maskText,
    frames: [
      ['token=', ''],
      ['"password": "', ''],
      ['Bearer ', ''],
    ],
    inputs: {
      'many names': repeated(() => '"token": "'),
      'many quotes': repeated(() => 'token\\"'),
      'many blanks': repeated(() => '--token    '),
      'many schemes': repeated(() => 'Bearer '),
      'many addresses': repeated(() => '://a:b@?key=c'),
    },
  },
  { name: 'createMask', run: createMask(['secret', 'aaaa', '{{{{', 'aaab…']) },
  {
    name: 'createMask of hostile secrets',
    maxSize: 8 * 1024,
    run: (text) => createMask(text.match(/.{1,16}/gs) ?? [])('a line of a log with a secret'),
  },
  {
    name: 'parsePastedServers',
    run: parsePastedServers,
    frames: [
      ['{"mcpServers":{', '}}'],
      ['[mcp_servers.a]\n', ''],
      ['npx ', ''],
      ['curl https://a.example ', ''],
      ['claude mcp add a -- ', ''],
      ['claude mcp add -e ', ''],
      ['```\n', '```'],
      ['https://', ''],
      ['vscode:mcp/install?', ''],
      ['https://insiders.vscode.dev/redirect?url=', ''],
    ],
  },
  {
    name: 'readManifest of a bundle',
    run: (text) => bundleWay(readManifest(text, 'linux'), bundlePlaces),
    frames: [
      ['{"manifest_version":"0.3","', '":1}'],
      [`${bundleStart}"command":"`, '"}}}'],
      [`${bundleStart}"command":"a","args":["`, '"]}}}'],
    ],
    inputs: {
      'many variables': (size) =>
        `${bundleStart}"command":"${repeated(() => '${user_config.')(size)}"}}}`,
    },
  },
  {
    name: 'serverOfQuery',
    run: (text) => serverOfQuery('/add', text),
    frames: [
      ['name=a&config={"command":"', '"}'],
      ['config=', '&name=b'],
      ['name=', '&config={"command":"a"}'],
    ],
  },
  {
    name: 'installWays of an entry of the registry',
    run: (text) => {
      const server = readServer(registryRow(text));
      for (const way of server ? installWays(server, true) : []) {
        installEntry(way, {});
      }
    },
    frames: [['{a}', '']],
  },
  {
    name: 'traceContext',
    run: (text) =>
      traceContext({
        traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
        tracestate: text,
        baggage: text,
      }),
    frames: [
      ['a=', ',b=1'],
      ['', '=1'],
    ],
  },
  {
    name: 'exportServers',
    run: (text) => exportServers([{ name: 'a', entry: exported(text), inputs: [] }], 'codex'),
    frames: [
      ['${', '}'],
      ['${A:-', '}'],
      ['!', ''],
    ],
  },
  {
    name: 'shellWords',
    run: shellWords,
    frames: [
      ['a "', ''],
      ["a '", ''],
      ['a $', ''],
    ],
  },
  { name: 'suggestServerName', run: (text) => suggestServerName({ command: text, args: [text] }) },
  {
    name: 'suggestServerName of a package',
    run: (text) => suggestServerName({ command: 'npx', args: [text] }),
  },
  { name: 'suggestServerName of an address', run: (text) => suggestServerName({ url: text }) },
  { name: 'packageOf', run: (text) => packageOf('npx', [text]), frames: [['a@', '']] },
  {
    name: 'packageOf docker',
    run: (text) => packageOf('docker', ['run', text]),
    frames: [['a:', '']],
  },
  { name: 'packageOf sh', run: (text) => packageOf('sh', ['-c', text]), frames: [['npx ', '']] },
  {
    name: 'packageOf git',
    run: (text) => packageOf('uvx', ['--from', text]),
    frames: [['git+', '']],
  },
  { name: 'packageOf uvx', run: (text) => packageOf('uvx', [text]), frames: [['a[', '']] },
  {
    name: 'isPinned',
    run: (text) =>
      isPinned({ argIndex: 0, name: 'a', version: text, registry: 'npm', written: text }),
    frames: [['1.0.0-', '']],
  },
  {
    name: 'isPinned of Python',
    run: (text) =>
      isPinned({ argIndex: 0, name: 'a', version: text, registry: 'pypi', written: text }),
    frames: [['1.0', '']],
  },
  { name: 'parseNpxCommand', run: (text) => parseNpxCommand('npx', [text]), frames: [['a@', '']] },
  { name: 'commandLine', maxSize: 16 * 1024, run: (text) => commandLine([text, text]) },
  {
    name: 'normalArgv of a process that wrote its own title',
    run: (text) => normalArgv([text], nowhere),
    frames: [
      ['npm exec ', ''],
      ['node ', ''],
    ],
  },
  {
    name: 'normalArgv',
    run: (text) => normalArgv(['node', text, text], nowhere),
  },
  { name: 'clientOf', run: (text) => startingClient([text]), frames: [['node /', '']] },
  {
    name: 'hasToolOf',
    run: (text) => hasToolOf({ labels: [text], tools: [text] }, [text]),
    frames: [['mcp_', '']],
  },
  { name: 'parseArguments', run: (text) => parseArguments(['call', text, 'x', text], '/w') },
  { name: 'encodeAnyText', run: encodeAnyText },
  { name: 'toWellFormed', run: toWellFormed },
];

/** The text in each place of an entry that a publisher writes. */
function registryRow(text: string): object {
  const variables = { a: { description: text } };
  const input = { type: 'positional', value: text, default: text, variables };
  return {
    server: {
      name: 'a.example/b',
      version: '1.0.0',
      packages: ['npm', 'oci'].map((registryType) => ({
        registryType,
        identifier: text,
        version: text,
        runtimeArguments: [input],
        packageArguments: [input],
        environmentVariables: [{ ...input, name: text }],
      })),
      remotes: [{ url: text, variables, headers: [{ ...input, name: text }] }],
    },
  };
}

function exported(text: string) {
  return { command: text, args: [text], env: { A: text }, cwd: text };
}
