/** The disk refuses what a conversation appends to its file: nothing that was said is hidden by the gap. */
import fs from 'node:fs';
import { readFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { AgentHarness } from '../../helpers/fakes/agentHarness.js';
import { useAgentHarness } from '../../helpers/fakes/useAgentHarness.js';

const harness = useAgentHarness();
const { appendFileSync, writeFileSync } = fs;

/** What the disk does with the next text for the file of a conversation; default: it takes it. */
let refuse: (text: string) => { readonly code: string; readonly bytes?: number } | undefined;

function refusing(original: typeof appendFileSync): typeof appendFileSync {
  return (file, data, options) => {
    const refused =
      typeof file === 'string' && /\.jsonl(\.whole)?$/.test(file)
        ? refuse(String(data))
        : undefined;
    if (refused) {
      if (refused.bytes !== undefined) {
        original(file, Buffer.from(String(data)).subarray(0, refused.bytes), options);
      }
      throw Object.assign(new Error(`${refused.code}: refused`), { code: refused.code });
    }
    original(file, data, options);
  };
}

function install(append: typeof appendFileSync, write: typeof writeFileSync): void {
  fs.appendFileSync = append;
  fs.writeFileSync = write;
  syncBuiltinESMExports();
}

afterEach(() => install(appendFileSync, writeFileSync));

async function begin(): Promise<AgentHarness> {
  refuse = () => undefined;
  install(refusing(appendFileSync), refusing(writeFileSync as never) as never);
  const h = await harness();
  await say(h, 'first');
  return h;
}

async function say(h: AgentHarness, text: string): Promise<void> {
  await h.panel.prompt(text);
  await h.untilDone();
}

const unsaved = (h: AgentHarness) => h.panel.snapshot().state.unsaved;
const said = (h: AgentHarness) =>
  h.panel
    .snapshot()
    .transcript.flatMap((entry) =>
      entry.kind === 'user' || entry.kind === 'assistant' ? [`${entry.kind}: ${entry.text}`] : [],
    );

async function file(h: AgentHarness): Promise<string> {
  const [session] = await h.panel.library.list();
  const root = join(h.root, 'storage', 'sessions');
  let paths: readonly string[] = [];
  // a folder may go between listing and reading it
  const look = () => {
    paths = fs.readdirSync(root, { recursive: true }).map(String);
    return paths;
  };
  await expect.poll(look).toBeDefined();
  return await readFile(
    join(root, paths.find((path) => path.endsWith(session?.id ?? '')) ?? ''),
    'utf8',
  );
}

/** Every entry stands behind the one that it follows, once. */
async function expectWhole(h: AgentHarness): Promise<void> {
  const seen = new Set<unknown>([null]);
  for (const line of (await file(h)).split('\n')) {
    const entry = parse(line);
    if (entry && entry.type !== 'session') {
      expect([entry.id, seen.has(entry.parentId)]).toEqual([entry.id, true]);
      expect(seen.has(entry.id)).toBe(false);
      seen.add(entry.id);
    }
  }
}

function parse(line: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

async function expectNothingLost(h: AgentHarness): Promise<void> {
  const before = said(h);
  expect(unsaved(h)).toBeUndefined();
  await expectWhole(h);
  await h.reload();
  expect(said(h)).toEqual(before);
  expect(before.length).toBeGreaterThanOrEqual(4);
}

it.each(['EBUSY', 'ENOSPC', 'EROFS', 'EIO'])(
  'loses nothing when one append fails: %s',
  async (code) => {
    const h = await begin();
    let left = 1;
    refuse = () => (left-- > 0 ? { code } : undefined);
    await say(h, 'second');
    expect(left).toBeLessThan(0);
    await say(h, 'third');
    await expectNothingLost(h);
  },
);

it.each([2, 3])('loses nothing when %i appends in a row fail', async (count) => {
  const h = await begin();
  let left = count;
  refuse = () => (left-- > 0 ? { code: 'EBUSY' } : undefined);
  await say(h, 'second');
  await say(h, 'third');
  await expectNothingLost(h);
});

it('says what is not saved while the file is read-only, and saves it on request', async () => {
  const h = await begin();
  refuse = () => ({ code: 'EROFS' });
  await say(h, 'second');
  expect(unsaved(h)).toBe('Not saved yet: its file is read-only.');
  expect(() => h.panel.shown?.conversation?.save()).toThrow('Not saved yet');
  await say(h, 'third');
  expect(await file(h)).not.toContain('"second"');
  refuse = () => undefined;
  h.panel.shown?.conversation?.save();
  await expectNothingLost(h);
});

it('saves by itself once the disk has room again, and says so', async () => {
  const h = await begin();
  refuse = () => ({ code: 'ENOSPC' });
  await say(h, 'second');
  expect(unsaved(h)).toBe('Not saved yet: the disk is full.');
  refuse = () => undefined;
  await h.until('a conversation that is saved', ({ state }) => state.unsaved === undefined);
  await expectNothingLost(h);
});

it.each([1, 40])('goes on behind %i bytes of a line that did not fit', async (bytes) => {
  const h = await begin();
  let left = 2;
  refuse = () => (left-- > 0 ? { code: 'ENOSPC', bytes } : undefined);
  await say(h, 'second');
  await say(h, 'third');
  await expectNothingLost(h);
});

it('begins a conversation later whose first message could not be written', async () => {
  const h = await begin();
  await h.panel.newSession();
  refuse = () => ({ code: 'ENOSPC' });
  await say(h, 'of another one');
  expect(unsaved(h)).toBe('Not saved yet: the disk is full.');
  refuse = () => undefined;
  await say(h, 'and more');
  await expectNothingLost(h);
});

it('takes what is not saved along into a session that starts anew', async () => {
  const h = await begin();
  refuse = () => ({ code: 'ENOSPC' });
  await say(h, 'second');
  h.workspace.setTrusted(false);
  await h.until('another session', ({ state }) => state.isRestricted && state.status === 'ready');
  expect(unsaved(h)).toBe('Not saved yet: the disk is full.');
  refuse = () => undefined;
  await say(h, 'third');
  await expectNothingLost(h);
});

it('keeps a conversation open that nobody sees while it is not saved', async () => {
  const h = await begin();
  const { conversation } = h.panel.snapshot();
  refuse = (text) => (text.includes('"session"') ? undefined : { code: 'ENOSPC' });
  await say(h, 'second');
  for (let count = 0; count < 12; count++) {
    await h.panel.newSession();
  }
  refuse = () => undefined;
  await h.panel.library.open(conversation);
  await say(h, 'third');
  await expectNothingLost(h);
});
