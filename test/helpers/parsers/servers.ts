/** What parses the text of servers, models and their users. */
import { conversationTitle } from '../../../src/agent/conversations/title.js';
import { parseSlashCommand } from '../../../src/agent/panel/slashCommand.js';
import { insideMark } from '../../../src/agent/tools/serverMark.js';
import { explainFailure } from '../../../src/agent/transcript/modelFailure.js';
import { userMessageView } from '../../../src/agent/transcript/userMessage.js';
import { appPolicy } from '../../../src/mcp/apps/policy.js';
import { resourceFileName } from '../../../src/mcp/catalog/resourceFile.js';
import { truncateMiddle } from '../../../src/mcp/catalog/results/truncate.js';
import { wordRuns, wordsOfRun } from '../../../src/mcp/catalog/search/reading/words.js';
import { selectTools } from '../../../src/mcp/catalog/search/selectTools.js';
import { ToolIndex } from '../../../src/mcp/catalog/search/toolIndex.js';
import { matchesTool } from '../../../src/mcp/catalog/toolGlob.js';
import { nameTools, plainToolNames } from '../../../src/mcp/catalog/toolNames.js';
import { expandTemplate, templateVariables } from '../../../src/mcp/catalog/uriTemplate.js';
import { readRefusal } from '../../../src/mcp/connection/clientEngine/auth/challenges.js';
import { EventIdWatch } from '../../../src/mcp/connection/http/resumption.js';
import { imageData } from '../../../src/mcp/connection/reading/parseIcons.js';
import { LineFramer } from '../../../src/mcp/connection/stdio/lineFramer.js';
import { extractMessages, readResponseId } from '../../../src/mcp/connection/stdio/messageText.js';
import { OutputTail } from '../../../src/mcp/connection/stdio/outputTail.js';
import { assertSafeAddress } from '../../../src/mcp/oauth/safeAddress.js';
import { blocksText } from '../../../src/presentation/questions/samplingText.js';
import { guardDocument } from '../../../src/webview/app/guardDocument.js';
import { type Parser, repeated } from './kinds.js';

const tool = { name: 'github__get', server: 'github', tool: 'a'.repeat(500), inputSchema: {} };
const command = { name: '/github:ask', prompt: { arguments: [{ name: 'a' }, { name: 'b' }] } };
const noNeeds = {
  connectDomains: [],
  resourceDomains: [],
  frameDomains: [],
  baseUriDomains: [],
  permissions: [],
};
export const ofServers: readonly Parser[] = [
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
