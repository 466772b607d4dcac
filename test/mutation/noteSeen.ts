/** Runs before each file of tests in a copy for mutation, in its worker: leaves what functions have run. */
import { existsSync, writeFileSync } from 'node:fs';
import { afterAll } from 'vitest';

const note = 'seen.json';

if (existsSync(note)) {
  const seen = new Set<string>();
  Object.assign(globalThis, { piMcpSeen: seen });
  afterAll(() => writeFileSync(note, JSON.stringify([...seen])));
}
