import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DefinitionPinFiles } from '../../../../src/mcp/catalog/definitions/definitionPinFiles.js';
import type { PinnedDefinition } from '../../../../src/mcp/catalog/definitions/settleDefinitions.js';
import { fakeDefinition } from '../../../helpers/fakes/fakeMcp.js';
import { takeLock } from '../../../helpers/takeLock.js';

const definition = fakeDefinition('notes');

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'pi-mcp-pins-'));
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

function pin(name: string): PinnedDefinition {
  return { kind: 'tool', name, fingerprint: `of ${name}`, definition: { name } };
}

/** As a window that took the lock from one that stands still right before it writes. */
async function writeInstead(name: string, text: string): Promise<void> {
  const isWritten = () => readdirSync(directory).some((one) => one.endsWith('.tmp'));
  await takeLock(join(directory, `${name}.lock`), isWritten);
  writeFileSync(join(directory, name), text);
}

it('keeps what another window agreed to that took the lock meanwhile', async () => {
  const pins = new DefinitionPinFiles(directory);
  await pins.add(definition, [pin('theirs'), pin('before')], new Set());
  const [name = ''] = readdirSync(directory);
  const theirs = JSON.stringify({ definitions: [pin('theirs')] });
  writeFileSync(join(directory, name), JSON.stringify({ definitions: [] }));

  const added = pins.add(definition, [pin('ours')], new Set());
  await writeInstead(name, theirs);
  expect([...(await added).keys()]).toEqual(['tool theirs', 'tool ours']);
  expect([...((await pins.load(definition))?.keys() ?? [])]).toEqual(['tool theirs', 'tool ours']);
});
