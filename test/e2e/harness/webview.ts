/** Pages of webviews: VS Code shows each in an iframe inside an iframe. */
import type { FrameLocator, Page } from 'playwright-core';

/** The extension's only page of that kind: a `panel` is an editor tab, a `view` stands in a side bar. */
export function pageOf(page: Page, kind: 'panel' | 'view'): FrameLocator {
  const isView = '[src*="purpose=webviewView"]';
  const outer = `iframe.webview.ready[src*="extensionId=pi-mcp"]${kind === 'view' ? isView : `:not(${isView})`}`;
  return page.frameLocator(outer).frameLocator('#active-frame');
}
