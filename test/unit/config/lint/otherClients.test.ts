import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { clientsOfFolder } from '../../../../src/config/lint/otherClients.js';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pi-mcp-clients-'));
  await mkdir(join(root, 'w'));
  await mkdir(join(root, 'outside'));
  await writeFile(join(root, 'outside', 'mcp.json'), '{}');
});

afterEach(() => rm(root, { recursive: true, force: true }));

const clients = async () => [...(await clientsOfFolder(join(root, 'w')))];

it('knows a client by what it keeps in the folder', async () => {
  expect(await clients()).toEqual([]);
  await writeFile(join(root, 'w', 'CLAUDE.md'), '');
  expect(await clients()).toEqual(['claude-code']);
  await mkdir(join(root, 'w', '.vscode'));
  expect(await clients()).toEqual(['claude-code']);
  await writeFile(join(root, 'w', '.vscode', 'mcp.json'), '{}');
  expect(await clients()).toEqual(['claude-code', 'vscode']);
  expect([...(await clientsOfFolder(undefined))]).toEqual([]);
});

it('does not look where a link leaves the folder', async () => {
  await symlink(join(root, 'outside'), join(root, 'w', '.vscode'));
  await symlink(join(root, 'outside'), join(root, 'w', '.claude'));
  expect(await clients()).toEqual([]);
  // control: the same link within the folder is followed
  await mkdir(join(root, 'w', 'kept'));
  await writeFile(join(root, 'w', 'kept', 'mcp.json'), '{}');
  await rm(join(root, 'w', '.vscode'));
  await symlink('kept', join(root, 'w', '.vscode'));
  expect(await clients()).toEqual(['vscode']);
});
