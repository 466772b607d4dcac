import { describe, expect, it } from 'vitest';
import type { Attachment } from '../../../../../src/agent/panel/attachments/attachment.js';
import {
  AttachedLists,
  Attachments,
} from '../../../../../src/agent/panel/attachments/attachments.js';
import { pngOf } from '../../../../helpers/pictures.js';

const text = (name: string, words = 'words'): Attachment => ({
  kind: 'text',
  what: 'pasted',
  name,
  text: words,
});
const image = (name: string, width = 100): Attachment => ({
  kind: 'image',
  name,
  mimeType: 'image/png',
  data: pngOf(width, 75).toString('base64'),
});

function setUp(disk = new Map<string, unknown>(), lists = new AttachedLists()) {
  const shown = { conversation: 'a.jsonl' };
  const attachments = new Attachments({
    conversation: () => shown.conversation,
    store: {
      read: async (conversation) => JSON.parse(JSON.stringify(disk.get(conversation) ?? null)),
      write: async (conversation, list) => void disk.set(conversation, list),
    },
    lists,
    loadCounter: async () => (words) => words.length,
    log: (error) => {
      throw error;
    },
  });
  const names = () => attachments.list.map(({ what }) => 'name' in what && what.name);
  return { attachments, names, shown, disk };
}

describe('what is attached', () => {
  it('stays with its conversation, and is there in the next window', async () => {
    const { attachments, names, shown, disk } = setUp();
    await attachments.load();
    await attachments.add(text('one'));
    await attachments.add(image('two.png'));
    shown.conversation = 'b.jsonl';
    await attachments.load();
    expect(names()).toEqual([]);
    await attachments.add(text('three'));
    shown.conversation = 'a.jsonl';
    expect(names()).toEqual(['one', 'two.png']);
    const next = setUp(disk);
    await next.attachments.load();
    expect(next.names()).toEqual(['one', 'two.png']);
    expect(next.attachments.list).toEqual(attachments.list);
  });

  it('is the same in every panel of the window', async () => {
    const lists = new AttachedLists();
    const disk = new Map<string, unknown>();
    const [view, tab] = [setUp(disk, lists), setUp(disk, lists)];
    await view.attachments.load();
    await view.attachments.add(text('one'));
    await tab.attachments.load();
    expect(tab.names()).toEqual(['one']);
    tab.attachments.clear(tab.attachments.list);
    await view.attachments.load();
    expect(view.names()).toEqual([]);
  });

  it('before there is a conversation belongs to the first one', async () => {
    const { attachments, names, shown } = setUp();
    shown.conversation = '';
    await attachments.add(text('early'));
    shown.conversation = 'a.jsonl';
    await attachments.load();
    expect(names()).toEqual(['early']);
  });

  it('goes when it was sent, and what came since stays', async () => {
    const { attachments, names, disk } = setUp();
    await attachments.add(text('one'));
    const sent = attachments.list;
    await attachments.add(text('two'));
    attachments.clear(sent);
    expect(names()).toEqual(['two']);
    expect(disk.get('a.jsonl')).toEqual(attachments.list);
  });

  it('is there once, and within bounds', async () => {
    const { attachments, names } = setUp();
    await attachments.add(text('one'));
    await attachments.add(text('one'));
    expect(names()).toEqual(['one']);
    for (let at = 0; at < 10; at++) {
      await attachments.add(image(`${at}.png`));
    }
    await expect(attachments.add(image('11.png'))).rejects.toThrow('Nothing more');
    for (let at = 0; at < 9; at++) {
      await attachments.add(text(`more ${at}`));
    }
    await expect(attachments.add(text('too many'))).rejects.toThrow('Nothing more');
  });

  it('tells what it costs', async () => {
    const { attachments } = setUp();
    await attachments.add(text('short', 'x'.repeat(100)));
    await attachments.add(text('long', 'x'.repeat(100_000)));
    await attachments.add(image('a.png', 1_000));
    await attachments.add({ kind: 'file', name: 'a.ts', path: 'a.ts', folder: 'f' });
    expect(attachments.list.map(({ tokens }) => tokens)).toEqual([100, 100_000, 100, undefined]);
  });

  it('drops what it cannot read of the disk, and nothing else', async () => {
    const good = { id: '1', what: text('good') };
    const bad = [
      null,
      'x',
      { id: '2' },
      { id: '3', what: { kind: 'text', what: 'image', name: 'a', text: '' } },
      { id: 4, what: text('x') },
    ];
    const { attachments, names } = setUp(new Map([['a.jsonl', [...bad, good]]]));
    await attachments.load();
    expect(names()).toEqual(['good']);
  });
});
