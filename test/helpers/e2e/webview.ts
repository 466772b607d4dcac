/** Pages of webviews: VS Code lays an iframe over the workbench and shows the page in an iframe inside it. */
import type { FrameLocator, Page } from 'playwright-core';

/**
 * The extension's page in the editor area or in the side bar. Only where it lies tells them apart: VS Code marks those
 * that touch the right edge of the window, which the editor area does and the primary side bar does not.
 */
export function pageOf(page: Page, place: 'editor' | 'sideBar'): FrameLocator {
  const mark = '.webview-overlay-outer-right';
  const overlay = `.webview-overlay-content${place === 'editor' ? mark : `:not(${mark})`}`;
  const outer = `${overlay} iframe.webview.ready[src*="extensionId=pi-mcp"]:visible`;
  return page.frameLocator(outer).frameLocator('#active-frame');
}
