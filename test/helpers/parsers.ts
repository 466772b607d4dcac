/** Every function that takes text of a repository, a server or the clipboard apart. */
import { conversationTitle } from '../../src/agent/conversations/title.js';
import { parseSlashCommand } from '../../src/agent/panel/slashCommand.js';
import { insideMark } from '../../src/agent/tools/serverMark.js';
import { explainFailure } from '../../src/agent/transcript/modelFailure.js';
import { userMessageView } from '../../src/agent/transcript/userMessage.js';
import { isHumanError } from '../../src/base/errors.js';
import { encodeAnyText, toWellFormed } from '../../src/base/text/wellFormed.js';
import { parseArguments } from '../../src/cli/arguments.js';
import { removeJsonProperty, setJsonValue } from '../../src/config/edit/jsonEdit.js';
import { exportServers } from '../../src/config/export/exportServers.js';
import { syntaxFixes } from '../../src/config/fixes/syntaxFixes.js';
import { withInputNames } from '../../src/config/imports/importableServers.js';
import { parseEnvFile } from '../../src/config/launch/envFile.js';
import { commandInValue, literalSkeleton, variablesIn } from '../../src/config/launch/variables.js';
import { isPinned, packageOf } from '../../src/config/lint/packageSpec.js';
import { parseCodexConfig } from '../../src/config/parse/codex.js';
import { parseJsonDocument } from '../../src/config/parse/jsonDocument.js';
import type { ParseOptions } from '../../src/config/parse/parseConfig.js';
import { parseConfig } from '../../src/config/parse/parseConfig.js';
import { serverOfQuery } from '../../src/config/paste/installLink.js';
import { parsePastedServers } from '../../src/config/paste/pastedServers.js';
import { suggestServerName } from '../../src/config/paste/serverName.js';
import { shellWords } from '../../src/config/paste/shellWords.js';
import { findTokens, tokenService } from '../../src/config/secrets/findTokens.js';
import {
  redactArg,
  redactEntry,
  redactUrl,
  redactValue,
  secretLead,
  secretsInArgs,
  secretsInUrl,
} from '../../src/config/secrets/redact.js';
import { createMask, maskText } from '../../src/config/secrets/secretMask.js';
import { restoreSecrets } from '../../src/config/secrets/secretMerge.js';
import { isSecretName } from '../../src/config/secrets/secretNames.js';
import {
  isInertSecret,
  isLiteral,
  isPlaceholder,
  looksLikeCredential,
} from '../../src/config/secrets/secretValues.js';
import { appPolicy } from '../../src/mcp/apps/policy.js';
import { bundleWay } from '../../src/mcp/bundles/bundleWay.js';
import { readManifest } from '../../src/mcp/bundles/manifest.js';
import { resourceFileName } from '../../src/mcp/catalog/resourceFile.js';
import { truncateMiddle } from '../../src/mcp/catalog/results/truncate.js';
import { wordRuns, wordsOfRun } from '../../src/mcp/catalog/search/reading/words.js';
import { selectTools } from '../../src/mcp/catalog/search/selectTools.js';
import { ToolIndex } from '../../src/mcp/catalog/search/toolIndex.js';
import { matchesTool } from '../../src/mcp/catalog/toolGlob.js';
import { nameTools, plainToolNames } from '../../src/mcp/catalog/toolNames.js';
import { expandTemplate, templateVariables } from '../../src/mcp/catalog/uriTemplate.js';
import { readRefusal } from '../../src/mcp/connection/clientEngine/auth/challenges.js';
import { EventIdWatch } from '../../src/mcp/connection/http/resumption.js';
import { imageData } from '../../src/mcp/connection/reading/parseIcons.js';
import { LineFramer } from '../../src/mcp/connection/stdio/lineFramer.js';
import { extractMessages, readResponseId } from '../../src/mcp/connection/stdio/messageText.js';
import { OutputTail } from '../../src/mcp/connection/stdio/outputTail.js';
import { assertSafeAddress } from '../../src/mcp/oauth/safeAddress.js';
import { startingClient } from '../../src/mcp/otherClients/foreignRuns.js';
import { normalArgv } from '../../src/mcp/otherClients/normalArgv.js';
import { hasToolOf } from '../../src/mcp/otherClients/prediction.js';
import { installEntry } from '../../src/mcp/registry/installEntry.js';
import { installWays } from '../../src/mcp/registry/installWay.js';
import { readServer } from '../../src/mcp/registry/serverJson.js';
import { traceContext } from '../../src/mcp/traceContext.js';
import { commandLine } from '../../src/platform/commandLine.js';
import { parseNpxCommand } from '../../src/platform/npx/npxCommand.js';
import { blocksText } from '../../src/presentation/questions/samplingText.js';
import { guardDocument } from '../../src/webview/app/guardDocument.js';
import { drawStreamed, drawWhole, markdownInputs } from './markdownKinds.js';

export interface Parser {
  readonly name: string;
  readonly run: (text: string) => unknown;
  /** What stands around the hostile part, beside nothing. */
  readonly frames?: readonly (readonly [before: string, after: string])[];
  /** Hostile inputs of its own. */
  readonly inputs?: Readonly<Record<string, (size: number) => string>>;
  /** Default 65,536 characters. */
  readonly maxSize?: number;
  /** Of the inputs of its own. Default: as for the others. */
  readonly maxOwnSize?: number;
}

const place: ParseOptions = { path: '/w/.mcp.json', layer: 'project' };
const tool = { name: 'github__get', server: 'github', tool: 'a'.repeat(500), inputSchema: {} };
const command = { name: '/github:ask', prompt: { arguments: [{ name: 'a' }, { name: 'b' }] } };
const noNeeds = {
  connectDomains: [],
  resourceDomains: [],
  frameDomains: [],
  baseUriDomains: [],
  permissions: [],
};
const stored = { url: 'https://u:p@h/?token=x&key=y', args: ['--token', 'x', 'TOKEN=y'] };

const bundleStart =
  '{"manifest_version":"0.3","name":"a","version":"1","description":"a","author":{"name":"a"},"server":{"type":"node","entry_point":"a","mcp_config":{';
const bundlePlaces = { folder: '/b', homeDir: '/h', platform: 'linux' } as const;

const repeated = (unit: (index: number) => string) => (size: number) => {
  const parts: string[] = [];
  for (let length = 0, index = 0; length < size; index++) {
    const part = unit(index);
    parts.push(part);
    length += part.length;
  }
  return parts.join('');
};

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

/** What parses the text of files and of the clipboard, or single values in them. */
const ofConfiguration: readonly Parser[] = [
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
      ['npx ', ''],
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

/** What parses the text of servers, models and their users. */
const ofServers: readonly Parser[] = [
  {
    name: 'matchesTool',
    run: (text) => matchesTool(text, tool),
    inputs: {
      'many stars': repeated(() => '*a'),
    },
  },
  {
    name: 'matchesTool of a hostile name',
    run: (text) => matchesTool('*a*a*a*a*b', { ...tool, tool: text }),
  },
  { name: 'plainToolNames', maxSize: 8 * 1024, run: (text) => plainToolNames(text, text) },
  {
    name: 'nameTools',
    run: (text) => nameTools([{ id: 'a', name: text, tools: [{ name: text }] }]),
  },
  { name: 'templateVariables', run: templateVariables, frames: [['{', '']] },
  { name: 'expandTemplate', run: (text) => expandTemplate(text, { a: 'b' }), frames: [['{', '}']] },
  {
    name: 'expandTemplate of a value',
    maxSize: 16 * 1024,
    run: (text) => expandTemplate('{+a}{a}', { a: text }),
  },
  {
    name: 'resourceFileName',
    run: (text) => resourceFileName(text, 'text/plain'),
    frames: [['a:', 'x']],
  },
  { name: 'runsOf', run: (text) => wordRuns(text).map(wordsOfRun) },
  {
    name: 'ToolIndex',
    run: (text) => new ToolIndex([{ ...tool, description: text }]).search(text, 5),
  },
  { name: 'selectTools', run: (text) => selectTools(new ToolIndex([tool]), `select:${text}`, 5) },
  { name: 'truncateMiddle', run: (text) => truncateMiddle(text, 100) },
  {
    name: 'readRefusal',
    run: (text) => readRefusal(refusal(text)),
    frames: [
      ['Bearer ', ''],
      ['Bearer scope="', ''],
      ['Bearer resource_metadata=', ''],
    ],
    maxSize: 16 * 1024,
  },
  {
    name: 'extractMessages',
    run: extractMessages,
    frames: [['{"jsonrpc":', '']],
    inputs: {
      'many beginnings': repeated(() => '{"id":'),
    },
  },
  {
    name: 'readResponseId',
    run: (text) => readResponseId(text, text),
    frames: [
      ['{"id":"', ''],
      ['{"result":', ''],
      ['{"result":"id":', ''],
    ],
    inputs: {
      'many ids': (size) => `{"result":${repeated(() => '"id":1 ')(size)}`,
      'an id before many blanks': (size) => `{"result":"id":1${' '.repeat(size)}`,
    },
  },
  {
    name: 'LineFramer',
    maxSize: 16 * 1024,
    run: frame,
    frames: [['{"jsonrpc":"2.0","id":1,"result":', '}\n']],
  },
  { name: 'OutputTail', run: tail },
  { name: 'EventIdWatch', run: (text) => new EventIdWatch().add(Buffer.from(text)) },
  {
    name: 'imageData',
    run: imageData,
    frames: [
      ['data:image/png;base64,', ''],
      ['data:image/svg+xml,', ''],
      ['data:image/png', ''],
    ],
  },
  {
    name: 'appPolicy',
    run: (text) => appPolicy({ ...noNeeds, connectDomains: [text] }),
    frames: [['https://', '']],
  },
  {
    name: 'assertSafeAddress',
    run: (text) =>
      assertSafeAddress(`https://h/${text}`, {
        serverName: 'a',
        serverUrl: 'https://h',
        settings: {},
      } as never),
  },
  { name: 'blocksText', run: (text) => blocksText({ type: 'text', text }) },
  { name: 'insideMark', run: (text) => insideMark('mcp-server', text), frames: [['<', '']] },
  { name: 'parseSlashCommand', run: (text) => parseSlashCommand(`/github:ask ${text}`, [command]) },
  {
    name: 'userMessageView',
    maxOwnSize: 512 * 1024,
    run: (text) => userMessageView(text),
    frames: [['<mcp-resource server="a" uri="', '']],
    inputs: {
      'many beginnings': repeated(() => '\n<mcp-resource server="a" uri="b">\n'),
      'many beginnings of one line': repeated(() => '<mcp-resource server="a" uri="b">'),
    },
  },
  { name: 'explainFailure', run: explainFailure },
  { name: 'conversationTitle', run: conversationTitle },
  {
    name: 'guardDocument',
    run: guardDocument,
    frames: [
      ['<!--', ''],
      ['<!doctype', ''],
    ],
  },
];

const nowhere = {
  workingDirectory: async () => '/w',
  realPath: async (path: string) => path,
};

export const parsers: readonly Parser[] = [
  { name: 'a whole answer', run: drawWhole, inputs: markdownInputs, maxSize: 32 * 1024 },
  { name: 'an answer that streams', run: drawStreamed, inputs: markdownInputs, maxSize: 4 * 1024 },
  ...ofConfiguration,
  ...ofServers,
].map((parser) => ({
  ...parser,
  run: (text) => expectingErrors(parser.run, text),
}));

/** A refusal is an answer; anything else that is thrown is a fault. */
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

function expectingErrors(run: (text: string) => unknown, text: string): unknown {
  try {
    return run(text);
  } catch (error) {
    if (!isHumanError(error)) {
      throw error;
    }
    return undefined;
  }
}

function refusal(text: string): Response {
  const value = text.replace(/[^\x20-\x7e]/g, '_');
  return new Response(null, { status: 401, headers: { 'www-authenticate': value } });
}

function frame(text: string): void {
  const framer = new LineFramer({
    onMessage: () => undefined,
    onNotice: () => undefined,
  } as never);
  for (let at = 0; at < text.length; at += 1000) {
    framer.push(Buffer.from(text.slice(at, at + 1000)));
  }
  framer.end();
}

function tail(text: string): void {
  const output = new OutputTail();
  for (let at = 0; at < text.length; at += 1000) {
    output.push(Buffer.from(text.slice(at, at + 1000)));
  }
  output.end();
}
