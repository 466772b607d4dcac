/** Pages of webviews: VS Code lays an iframe over the workbench and shows the page in an iframe inside it. */
import type { FrameLocator, Page } from 'playwright-core';

/** The extension's page that is in sight: that of a tab in the editor area, or that of a view, wherever the view is. */
export function pageOf(page: Page, place: 'editor' | 'view'): FrameLocator {
  // the element of the workbench over which it lies
  const editor = '[data-parent-flow-to-element-id^="webview-editor-element"]';
  const overlay = `.webview-overlay-content${place === 'editor' ? editor : `:not(${editor})`}`;
  const outer = `${overlay} iframe.webview.ready[src*="extensionId=pi-mcp"]:visible`;
  return page.frameLocator(outer).frameLocator('#active-frame');
}
