import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { ResultDocuments } from '../../../src/vscode/documents/resultDocuments.js';

// else a file before it in the same worker has loaded what is put in place here
vi.hoisted(() => vi.resetModules());
const opened = vi.hoisted(() => [] as string[]);
vi.mock('vscode', () => ({
  Uri: { file: (path: string) => path },
  commands: { executeCommand: async (_id: string, path: string) => opened.push(path) },
}));
afterEach(() => {
  vi.unstubAllEnvs();
  opened.splice(0);
});

const result = {
  server: 'docs',
  tool: 'export',
  text: '',
  attachments: [{ mimeType: 'application/pdf', data: 'JVBERg==' }],
};

it('opens files of results again once there is a place for them, and leaves none behind', async () => {
  const root = await mkdtemp(join(tmpdir(), 'pi-mcp-documents-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  // as while the disk is full
  for (const name of ['TMPDIR', 'TEMP']) {
    vi.stubEnv(name, join(root, 'later'));
  }
  const documents = new ResultDocuments({} as never);
  await expect(documents.open(result, 0)).rejects.toThrow('ENOENT');
  await mkdir(join(root, 'later'));
  await documents.open(result, 0);
  expect(opened).toEqual([expect.stringMatching(/1-export\.pdf$/)]);
  documents.dispose();
  await expect.poll(() => readdir(join(root, 'later'))).toEqual([]);
});
