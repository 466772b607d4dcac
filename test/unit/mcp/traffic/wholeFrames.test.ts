import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { WholeFrames } from '../../../../src/mcp/traffic/wholeFrames.js';

const variable = process.platform === 'win32' ? 'TEMP' : 'TMPDIR';
const before = process.env[variable];
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pi-mcp-test-'));
  process.env[variable] = folder;
});

afterEach(async () => {
  if (before === undefined) {
    delete process.env[variable];
  } else {
    process.env[variable] = before;
  }
  await rm(folder, { recursive: true });
});

it('keeps frames again once there is a place for them', async () => {
  const frames = new WholeFrames();
  process.env[variable] = join(folder, 'missing');
  frames.keep(1, 'first');
  expect(await frames.read(1)).toBeUndefined();
  process.env[variable] = folder;
  frames.keep(2, 'second');
  expect(await frames.read(2)).toBe('second');
  await frames.dispose();
  expect(await readdir(folder)).toEqual([]);
});

it('leaves nothing behind of a frame that comes when all are forgotten', async () => {
  const frames = new WholeFrames();
  await frames.dispose();
  frames.keep(1, 'late');
  expect(await frames.read(1)).toBeUndefined();
  expect(await readdir(folder)).toEqual([]);
});
