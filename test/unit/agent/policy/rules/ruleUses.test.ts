import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { RuleUses } from '../../../../../src/agent/policy/rules/ruleUses.js';
import { nullLogger } from '../../../../../src/platform/ports.js';

it('keeps the last use of each rule to the minute, and forgets those of rules that are gone', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-22T10:00:00.000Z') });
  const directory = mkdtempSync(join(tmpdir(), 'rule-uses-'));
  onTestFinished(() => {
    vi.useRealTimers();
    rmSync(directory, { recursive: true });
  });
  const known = new Set(['a', 'b']);
  const watcher = { watch: () => ({ dispose: () => undefined }) };
  const place = { directory, watcher, logger: nullLogger };
  const uses = new RuleUses(place, () => known);
  await uses.start();
  const stored = async () => JSON.parse(await readFile(join(directory, 'rule-uses.json'), 'utf8'));
  uses.mark('a');
  expect(uses.usedAt('a')).toBe('2026-11-22T10:00:00.000Z');
  vi.setSystemTime(Date.parse('2026-11-22T10:00:59.000Z'));
  uses.mark('a');
  expect(uses.usedAt('a')).toBe('2026-11-22T10:00:00.000Z');
  known.delete('a');
  uses.mark('b');
  await expect.poll(stored).toEqual({ b: '2026-11-22T10:00:59.000Z' });
  expect(uses.usedAt('constructor')).toBeUndefined();
  const next = new RuleUses(place, () => known);
  await next.start();
  expect(next.usedAt('b')).toBe('2026-11-22T10:00:59.000Z');
});
