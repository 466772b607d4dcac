import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SessionManager } from '@earendil-works/pi-coding-agent';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { outsideWrites } from '../../../../../src/agent/session/stored/outsideWrites.js';

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'pi-mcp-outside-'));
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

const user = (text: string) => ({ role: 'user', content: text, timestamp: 1 }) as const;
const answer = (text: string) =>
  ({
    role: 'assistant',
    content: [{ type: 'text', text }],
    stopReason: 'stop',
    timestamp: 1,
  }) as never;

/** A conversation with an answer, whose file exists. */
function begin(): { readonly manager: SessionManager; readonly path: string } {
  const manager = SessionManager.create(dir, dir);
  manager.appendMessage(user('first'));
  manager.appendMessage(answer('one'));
  return { manager, path: manager.getSessionFile() ?? '' };
}

it('finds nothing in what it wrote itself', () => {
  const { manager, path } = begin();
  manager.appendMessage(user('zwei – drei'));
  manager.appendSessionInfo('Name');
  expect(outsideWrites(path, manager)).toBeUndefined();
});

it('tells a conversation that went on from two that parted', () => {
  const { manager, path } = begin();
  const other = SessionManager.open(path);
  other.appendMessage(user('there'));
  expect(outsideWrites(path, manager)).toMatchObject({ isContinued: true, isUnfinished: true });
  other.appendMessage(answer('two'));
  expect(outsideWrites(path, manager)).toMatchObject({ isContinued: true, isUnfinished: false });
  manager.appendMessage(user('here'));
  expect(outsideWrites(path, manager)).toMatchObject({ isContinued: false });
});

it('goes on though lines are broken, strange or in a circle', () => {
  const { manager, path } = begin();
  const lines = [
    'null',
    '{"type":"message","id":"a","parentId":"b"}',
    '{"type":"message","id":"b","parentId":"a"}',
    '{"type":"message","id":7}',
    '{"type":"message","id":"c',
  ];
  writeFileSync(path, `\n${lines.join('\n')}`, { flag: 'a' });
  expect(outsideWrites(path, manager)).toMatchObject({ isContinued: false });
});

it('finds every line of others and none of its own, however both write', () => {
  const step = fc.constantFrom('here', 'there', 'there again');
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 20 }), (steps) => {
      const { manager, path } = begin();
      let other = SessionManager.open(path);
      const theirs: string[] = [];
      let parted = false;
      for (const one of steps) {
        if (one === 'here') {
          manager.appendMessage(user('here'));
          parted ||= theirs.length > 0;
        } else {
          // who opens the file again goes on behind the last line
          other = one === 'there again' ? SessionManager.open(path) : other;
          parted ||= other.getEntry(manager.getLeafId() ?? '') === undefined;
          theirs.push(other.appendMessage(user('there')));
        }
      }
      const found = outsideWrites(path, manager);
      expect(found?.lines.map((line) => JSON.parse(line).id) ?? []).toEqual(theirs);
      if (theirs.length > 0 && !parted) {
        expect(found?.isContinued).toBe(true);
      }
      if (steps.at(-1) === 'here' && theirs.length > 0) {
        expect(found?.isContinued).toBe(false);
      }
    }),
    { numRuns: 50 },
  );
});
