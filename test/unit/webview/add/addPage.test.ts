import { afterEach, expect, it, vi } from 'vitest';

afterEach(() => void vi.unstubAllGlobals());

it('waits for no search when it was asked what the text is: whoever asked may have gone on', async () => {
  vi.stubGlobal('acquireVsCodeApi', () => ({
    getState: () => undefined,
    setState: () => undefined,
  }));
  // what another file's page has kept is not this one's
  vi.resetModules();
  const { AddPage } = await import('../../../../src/webview/add/addPage.js');
  const asked: string[] = [];
  const send = async (type: string) => {
    asked.push(type);
    await (type === 'search' ? new Promise(() => undefined) : undefined);
    return { kind: 'search', text: 'weather' };
  };
  const page = new AddPage(send as never, () => undefined);
  await page.enter();
  expect(asked).toEqual(['read', 'search']);
});
