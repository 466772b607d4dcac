import { expect, it, vi } from 'vitest';
import type { RunToolStart, RunToolView } from '../../../../src/protocol/tools/runTool.js';

const subject = { server: 'global#notes', tool: 'search' };
const view: RunToolView = {
  name: 'search',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
  timeoutMs: 1_000,
  hasGateway: false,
  history: [],
};

it('keeps what was typed before a reload when news of the tool comes before the first answer', async () => {
  vi.stubGlobal('acquireVsCodeApi', () => ({
    getState: () => ({ subject, args: { path: 'typed' }, timeout: '' }),
    setState: () => undefined,
  }));
  // what another file's page has kept is not this one's
  vi.resetModules();
  const { RunToolPage } = await import('../../../../src/webview/runTool/runToolPage.js');
  let answer: (start: RunToolStart) => void = () => undefined;
  const ready = new Promise<RunToolStart>((resolve) => {
    answer = resolve;
  });
  const page = new RunToolPage(
    'search',
    (type) => (type === 'ready' ? ready : Promise.resolve(null)) as never,
    () => undefined,
  );
  const started = page.start();
  page.offerNewer({ view });
  answer({ kind: 'tool', view });
  await started;
  expect(JSON.parse(page.json)).toEqual({ path: 'typed' });
  vi.unstubAllGlobals();
});
