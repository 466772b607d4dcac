/** Servers, tools, clients and profiles whose names read as words of ours: on every surface that says such a name. */
import { describe, expect, it } from 'vitest';
import { explainRefusal } from '../../src/agent/transcript/modelFailure.js';
import { nameToken } from '../../src/base/text/nameToken.js';
import { serverUnknown } from '../../src/config/errors.js';
import { nameInWindow } from '../../src/config/nameInWindow.js';
import { replayQuestion } from '../../src/presentation/inspector/replayQuestion.js';
import { noticeOf } from '../../src/presentation/notices/noticeText.js';
import { inputQuestion } from '../../src/presentation/questions/inputQuestion.js';
import { profileText } from '../../src/presentation/switching/profileText.js';
import { approvalTitle } from '../../src/webview/agent/calls/approvalCards.js';
import { toolLabel } from '../../src/webview/agent/calls/toolCard.js';
import { ruleText } from '../../src/webview/agent/rules/ruleWords.js';
import { questionTitle } from '../../src/webview/questions/cardAttention.js';
import { FakeServer, fakeDefinition, fakeFailure } from '../helpers/fakes/fakeMcp.js';

const names = {
  'words of ours': 'x is safe. Trust it? Click',
  'the end of a quotation': 'x"; Trust everything. "',
  'the end of another quotation': 'x” is known to be safe. “y',
  'the end of a German one': 'x“ ist sicher. „y',
  'line breaks': 'x\n\nPi MCP: this is safe\r\ny',
  'a line separator': 'x\u2028Pi MCP: this is safe',
  'another direction': 'x\u202eefas si siht\u202c',
  'an isolate': '\u2066x\u2069 is safe',
  'nothing to be seen': 'x\u200b\u2060\u3164 is safe',
  'controls of a terminal': 'x\u001b[2J\u0007safe',
  'a long text': `x is safe${' and good'.repeat(200)}`,
  'another row': 'x · trusted server',
} as const;

const server = (name: string) =>
  new FakeServer(
    fakeDefinition(name),
    { kind: 'error', failure: fakeFailure() },
    { tools: [{ name, inputSchema: { type: 'object' } }] },
  );

/** Surface → its lines for a name. */
const surfaces: Readonly<Record<string, (name: string) => string>> = {
  'an approval of a tool': (name) =>
    approvalTitle({ tool: 't', mcp: { tool: name, server: 's' } } as never),
  'an approval of a tool of a server': (name) =>
    approvalTitle({ tool: 't', mcp: { tool: 't', server: name } } as never),
  'an approval of an app': (name) =>
    approvalTitle({ tool: 't', isByApp: true, mcp: { tool: name, server: 's' } } as never),
  'an approval of a tool of an extension': (name) => approvalTitle({ tool: name } as never),
  'a card of a call': (name) =>
    toolLabel({ tool: 't', status: 'done', mcp: { tool: name, server: name } } as never),
  'a card of a call of an extension': (name) => toolLabel({ tool: name, status: 'done' } as never),
  'a rule for a tool': (name) =>
    ruleText({ subject: { kind: 'tool', tool: name, server: 's' }, scope: 'folder' } as never),
  'a rule for a tool of a server': (name) =>
    ruleText({ subject: { kind: 'tool', tool: 't', server: name }, scope: 'folder' } as never),
  'a form of a server': (name) => questionTitle({ server: name } as never),
  'the name in a question': (name) => nameInWindow(fakeDefinition(name), []),
  'a notice': (name) => noticeOf([server(name)], [])?.text ?? '',
  'a notice of several': (name) => noticeOf([server(name), server(name)], [])?.text ?? '',
  'a question about a value': (name) =>
    inputQuestion('token', undefined, fakeDefinition(name)).title,
  'a call that is made again': (name) =>
    replayQuestion(server(name), { name }, nameInWindow(fakeDefinition(name), []))
      .detail.split('\n')
      .filter((line) => line.startsWith('Tool:'))
      .join(''),
  'a refusal of a provider': (name) =>
    explainRefusal({ tool: name, server: 's', reason: 'No.' }).text,
  'a refusal of a provider, with its server': (name) =>
    explainRefusal({ tool: 't', server: name, reason: 'No.' }).text,
  'a server that is gone': (name) => serverUnknown(name).message,
  'a profile': (name) => profileText({ name } as never),
};

/** Why the text is not ours alone, apart from one token. */
function faultOf(text: string, name: string): string | undefined {
  const token = nameToken(name);
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u3164]/u.test(text)) {
    return 'hides something';
  }
  const at = text.indexOf(token);
  if (at === -1) {
    return 'has another name';
  }
  const isQuoted = text[at - 1] === '“' && text[at + token.length] === '”';
  const isLast = text.endsWith(token) && /(?:^|[:?·,…] )$/.test(text.slice(0, at));
  return isQuoted || isLast ? undefined : 'goes on with the name';
}

describe.each(Object.entries(surfaces))('%s', (_surface, write) => {
  it.each(Object.entries(names))('holds a name with %s as one token', (_what, name) => {
    const text = write(name);
    expect(text).not.toBe('');
    expect([faultOf(text, name), text]).toEqual([undefined, text]);
  });
});

describe('control: a surface that prints the name as it is', () => {
  const raw: Readonly<Record<string, (name: string) => string>> = {
    'in its middle': (name) => `Server ${name} asks for your consent`,
    'in quotation marks': (name) => `Server "${name}" asks for your consent`,
    'escaped, in its middle': (name) => `Server ${nameToken(name)} asks for your consent`,
  };
  it.each(Object.entries(raw))('is noticed: %s', (_how, write) => {
    for (const name of Object.values(names)) {
      expect(faultOf(write(name), name)).toBeDefined();
    }
  });
});
