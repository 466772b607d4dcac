/** Pages of webviews: VS Code lays an iframe over the workbench and shows the page in an iframe inside it. */
import type { FrameLocator, Page } from 'playwright-core';

/** The extension's page that is in sight: that of a tab in the editor area, or that of a view, wherever the view is. */
export function pageOf(page: Page, place: 'editor' | 'view'): FrameLocator {
  const purpose = '[src*="purpose=webviewView"]';
  const mark = place === 'view' ? purpose : `:not(${purpose})`;
  const outer = `iframe.webview.ready[src*="extensionId=pi-mcp"]${mark}:visible`;
  return page.frameLocator(outer).frameLocator('#active-frame');
}
