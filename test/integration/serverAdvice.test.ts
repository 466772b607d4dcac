/** What every surface says about the entry of a server: from one place, with the user's own choices. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { Emitter, onceEvent } from '../../src/base/event.js';
import { readTextFile } from '../../src/platform/boundedFile.js';
import { ServerAdvice } from '../../src/presentation/language/serverAdvice.js';
import { serverPageView } from '../../src/presentation/server/serverPageView.js';
import { childNodes, presentNode, serverNode } from '../../src/presentation/tree/nodes.js';
import { CoreHarness, find } from '../helpers/coreHarness.js';

const unpinned = { command: 'npx', args: ['-y', 'a-package'], enabled: false };
const message = /a-package: It names no exact version/;

let harness: CoreHarness;
const rules = new Emitter<void>();
let severities: Readonly<Record<string, string>>;
/** How often a file was looked at. */
let looks: number;
let opened: ServerAdvice | undefined;

beforeEach(async () => {
  harness = await CoreHarness.create();
  severities = {};
  looks = 0;
});
afterEach(async () => {
  opened?.dispose();
  await harness.dispose();
});

async function open() {
  const service = await harness.start();
  const advice = new ServerAdvice({
    service,
    machine: harness.machine,
    globalConfigPath: () => '',
    rules: {
      severities: () => ({ user: severities, project: undefined }),
      clients: () => {
        looks++;
        return [];
      },
      onDidChange: rules.event,
    },
    onError: (error) => {
      throw error;
    },
    delayMs: 0,
  });
  opened = advice;
  return { service, advice };
}

/** The same texts, as each surface has them. */
function surfaces({ service, advice }: Awaited<ReturnType<typeof open>>, name: string) {
  const server = find(service, name);
  const context = {
    isWorkspaceTrusted: true,
    folderTrust: () => ({ kind: 'none' }) as const,
    problemsOf: advice.of.bind(advice),
  };
  const node = serverNode(server);
  const isAbout = (text: string) => message.test(text);
  const view = serverPageView(service, { id: node.server.id, name: '' }, context);
  return {
    row: childNodes(node, context)
      .map((child) => presentNode(child, context).label)
      .filter(isAbout).length,
    page: view.suggestions.filter(isAbout).length,
  };
}

/** Paths that are looked at from now on, as every file is before it is read. */
function watchLooks(): () => readonly unknown[] {
  const stat = vi.spyOn(fs.promises, 'stat');
  syncBuiltinESMExports();
  onTestFinished(() => {
    stat.mockRestore();
    syncBuiltinESMExports();
  });
  return () => stat.mock.calls.map(([path]) => path);
}

describe('advice about the entry of a server', () => {
  it('is below the row and on the page of the server, once each', async () => {
    await harness.addFolder('work', { a: unpinned, b: { ...unpinned, args: ['-y', 'x@1.0.0'] } });
    const parts = await open();
    expect(surfaces(parts, 'a')).toEqual({ row: 0, page: 0 });
    await onceEvent(parts.advice.onDidChange);
    expect(surfaces(parts, 'a')).toEqual({ row: 1, page: 1 });
    expect(surfaces(parts, 'b')).toEqual({ row: 0, page: 0 });
  });

  it('reads no file that was read for the servers', async () => {
    const folder = await harness.addFolder('work', { a: unpinned });
    const { service, advice } = await open();
    const path = join(folder.fsPath ?? '', '.mcp.json');
    const looked = watchLooks();
    const news = onceEvent(advice.onDidChange);
    advice.of(find(service, 'a'));
    await news;
    expect(looked()).not.toContain(path);
    await readTextFile(path);
    expect(looked()).toContain(path);
  });

  it('follows the file and the choices of the user', async () => {
    const folder = await harness.addFolder('work', { a: unpinned });
    const parts = await open();
    parts.advice.of(find(parts.service, 'a'));
    await onceEvent(parts.advice.onDidChange);
    severities = { 'unpinned-package': 'off' };
    expect(surfaces(parts, 'a')).toEqual({ row: 0, page: 0 });
    severities = {};
    expect(surfaces(parts, 'a')).toEqual({ row: 1, page: 1 });
    const changed = onceEvent(parts.advice.onDidChange);
    await harness.write(folder, { a: { ...unpinned, args: ['-y', 'a-package@1.0.0'] } });
    await changed;
    expect(surfaces(parts, 'a')).toEqual({ row: 0, page: 0 });
  });

  it('tells of a change only when something else is said, since rows that are drawn anew lose clicks', async () => {
    await harness.addFolder('work', { unpinned });
    const { service, advice } = await open();
    let changes = 0;
    advice.onDidChange(() => {
      changes++;
    });
    const first = onceEvent(advice.onDidChange);
    advice.of(find(service, 'unpinned'));
    await first;
    // looked at again and again, and nothing else is said: the next change is that of the severity
    for (const look of [2, 3, 4]) {
      rules.fire();
      await expect.poll(() => looks).toBe(look);
    }
    const next = onceEvent(advice.onDidChange);
    severities = { 'unpinned-package': 'error' };
    rules.fire();
    await next;
    expect(changes).toBe(2);
  });

  it('says once what the definition says as well', async () => {
    await harness.addFolder('work', {
      a: { command: 'node', args: ['./a.js'], env: { LEVEL: '${NO_SUCH_VARIABLE}' } },
    });
    const parts = await open();
    const server = find(parts.service, 'a');
    expect(parts.advice.of(server).map(({ code }) => code)).toEqual(['unknown-variable']);
    await onceEvent(parts.advice.onDidChange);
    expect(parts.advice.of(server).map(({ code }) => code)).toEqual(['unknown-variable']);
  });
});
