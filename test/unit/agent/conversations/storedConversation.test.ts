import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  conversationDocument,
  conversationMarkdown,
  searchableText,
} from '../../../../src/agent/conversations/conversationText.js';
import {
  readConversation,
  readSummary,
} from '../../../../src/agent/conversations/storedConversation.js';
import { journalEntry, placeEntry } from '../../../../src/agent/conversations/storedEntry.js';

let dir: string;
let path: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'pi-mcp-stored-'));
  path = join(dir, 'one.jsonl');
});

afterEach(() => rm(dir, { recursive: true, force: true }));

let last: string | null = null;

/** An entry behind the one that was made last. @param parentId default: that one */
function entry(id: string, fields: object, parentId: string | null = last) {
  last = id;
  return { id, parentId, timestamp: '2026-11-22T08:00:00.000Z', ...fields };
}

const message = (role: string, content: unknown, more: object = {}) => ({
  type: 'message',
  message: { role, content, ...more },
});
const text = (words: string) => [{ type: 'text', text: words }];

async function write(...entries: readonly object[]): Promise<void> {
  const lines = [{ type: 'session', version: 3, id: 's', cwd: '/w' }, ...entries];
  await writeFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

const call = { type: 'toolCall', id: 'c1', name: 'demo_echo', arguments: { message: 'hi' } };

const ran = message('bashExecution', undefined, {
  command: 'npm test',
  output: '```\nred',
  exitCode: 1,
  cancelled: false,
  truncated: true,
  fullOutputPath: '/tmp/pi-bash-1.log',
});

const talk = () => {
  last = null;
  return [
    entry('1', message('user', 'say hi')),
    entry('2', message('assistant', [...text('At once.'), call], { model: 'm-1' })),
    entry('3', message('toolResult', text('```\nhi'), { toolCallId: 'c1', toolName: 'demo_echo' })),
    entry('4', message('assistant', text('It said *hi*.'), { model: 'm-1' })),
  ];
};

describe('the file of a conversation', () => {
  it('is read as what was said and done', async () => {
    await write(...talk());
    const { parts } = await readConversation(path);
    expect(parts.map(({ kind }) => kind)).toEqual(['request', 'answer', 'call', 'answer']);
    expect(parts[2]).toMatchObject({ tool: 'demo_echo', args: { message: 'hi' }, isError: false });
  });

  it('tells the branch of its last entry alone', async () => {
    const entries = talk();
    await write(...entries, entry('5', message('user', 'say ho'), '1'));
    const { parts } = await readConversation(path);
    expect(parts).toMatchObject([{ text: 'say hi' }, { text: 'say ho' }]);
  });

  it('takes the newest name, and none when that is empty', async () => {
    const entries = talk();
    const names = [entry('5', { type: 'session_info', name: 'Greeting' })];
    await write(...entries, ...names);
    expect(await readSummary(path)).toMatchObject({ name: 'Greeting', request: 'say hi' });
    await write(...entries, ...names, entry('6', { type: 'session_info', name: '' }));
    expect(await readSummary(path)).toEqual({ request: 'say hi', end: 'done', cwd: '/w' });
  });

  it('is read as far as it can be: broken lines, strange entries and circles do no harm', async () => {
    const odd = [
      '{"type":"message","id":"1","parentId":"2","message":{"role":"user","content":"first"}}',
      '{"type":"message","id":"2","parentId":"1","message":{"role":"assistant","content":7}}',
      '{"type":"session_info","id":"3","parentId":"2","name":{}}',
      'null',
      '{"type":"message","id":"9',
    ];
    await writeFile(path, odd.join('\n'));
    expect(await readSummary(path)).toMatchObject({ request: 'first' });
    expect((await readConversation(path)).parts).toMatchObject([{ text: 'first' }]);
  });
});

describe('a conversation to be read elsewhere', () => {
  const heading = { title: 'say *hi*\n# now', folder: 'app' };

  it('is Markdown that no text of it can break', async () => {
    await write(...talk());
    const markdown = conversationMarkdown(heading, await readConversation(path));
    expect(markdown.split('\n').filter((line) => /^#{1,3} /.test(line))).toEqual([
      String.raw`# say \*hi\* \# now`,
      '## You',
      '## Pi (m-1)',
      String.raw`### Tool: demo\_echo`,
      '## Pi (m-1)',
    ]);
    expect(markdown).toContain('````text\n```\nhi\n````');
    expect(markdown).toContain('* Folder: app\n* 2026-11-22');
  });

  it('has what the user ran: line, output, how it ended, and whether the model knows', async () => {
    const hidden = { ...ran, message: { ...ran.message, excludeFromContext: true } };
    await write(...talk(), entry('5', ran), entry('6', hidden));
    const conversation = await readConversation(path);
    const command = {
      kind: 'command',
      command: 'npm test',
      output: '```\nred',
      exitCode: 1,
      isStopped: false,
      fullOutput: '/tmp/pi-bash-1.log',
      isPrivate: false,
    };
    expect(conversation.parts.slice(4)).toMatchObject([command, { ...command, isPrivate: true }]);
    const markdown = conversationMarkdown(heading, conversation);
    expect(markdown).toContain(
      [
        '## You ran a command',
        '```sh\nnpm test\n```',
        '````text\n```\nred\n````',
        'Exit code 1',
        'The output was cut. /tmp/pi-bash-1.log',
        '## You ran a command (only for you)',
      ].join('\n\n'),
    );
    expect(searchableText(conversation)).toContain('npm test ``` red');
  });

  it('is JSON with everything that was said and done', async () => {
    await write(...talk());
    const conversation = await readConversation(path);
    expect(conversationDocument(heading, conversation)).toEqual({
      ...heading,
      messages: conversation.parts,
    });
  });

  it('can be searched by requests, answers, calls and results, up to a bound', async () => {
    await write(...talk());
    const conversation = await readConversation(path);
    for (const words of ['say hi', 'At once', 'demo_echo', '"message":"hi"', 'It said']) {
      expect(searchableText(conversation)).toContain(words);
    }
    const long = { kind: 'request', at: '', text: 'x'.repeat(900_000), attachments: [] } as const;
    expect(searchableText({ parts: [long, long, long] })).toHaveLength(1024 * 1024);
  });
});

describe('the end of a conversation', () => {
  const call1 = message('assistant', [call], { stopReason: 'toolUse' });
  const stop = { type: 'custom', customType: journalEntry, data: { type: 'user_stop' } };
  const aborted = message('assistant', text(''), { stopReason: 'aborted' });
  const broken = message('assistant', text(''), { stopReason: 'error' });
  const answer = message('assistant', text('hi'), { stopReason: 'stop' });
  const args = { role: 'bashExecution' };
  const quoted = message('assistant', [{ ...call, arguments: args }], { stopReason: 'stop' });
  const place = (end: string) => ({ type: 'custom', customType: placeEntry, data: { end } });

  it.each([
    ['done', [message('user', 'hi'), message('assistant', text('hi'), { stopReason: 'stop' })]],
    ['interrupted', [message('user', 'hi'), call1]],
    ['done', [message('user', 'hi'), call1, stop, aborted]],
    ['interrupted', [message('user', 'hi'), call1, stop, aborted, message('user', 'again')]],
    ['failed', [message('user', 'hi'), broken, ran]],
    ['interrupted', [message('user', 'hi'), call1, ran]],
    ['done', [message('user', 'hi'), broken, ran, message('user', 'again'), answer, ran]],
    ['done', [message('user', 'hi'), quoted]],
    // in another branch than what was said last
    ['done', [message('user', 'hi'), call1, place('done')]],
    ['failed', [message('user', 'hi'), stop, place('failed')]],
    ['interrupted', [message('user', 'hi'), place('done'), message('user', 'again'), call1]],
  ])('is %s, as its lines tell', async (end, entries) => {
    last = null;
    await write(...entries.map((one, index) => entry(`e${index}`, one)));
    expect(await readSummary(path)).toMatchObject({ end, cwd: '/w', request: 'hi' });
  });
});
