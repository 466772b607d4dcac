/** Pages of webviews: VS Code lays an iframe over the workbench and shows the page in an iframe inside it. */
import type { FrameLocator, Page } from 'playwright-core';

/** Marks each page that VS Code lays over the workbench with the part of it over which it lies. For windows to come. */
export async function markPlaces(page: Page): Promise<void> {
  await page.addInitScript(() => {
    if (window !== window.top) {
      return;
    }
    const mark = () => {
      for (const overlay of document.querySelectorAll<HTMLElement>('.webview-overlay-content')) {
        const name = overlay.style.getPropertyValue('position-anchor');
        const anchors = document.querySelectorAll<HTMLElement>('[style*="anchor-name"]');
        const anchor = [...anchors].find(
          ({ style }) => name !== '' && style.getPropertyValue('anchor-name') === name,
        );
        const place = anchor?.closest('.part.editor') ? 'editor' : 'view';
        if (anchor && overlay.dataset.place !== place) {
          overlay.dataset.place = place;
        }
      }
    };
    const changes = { subtree: true, childList: true, attributes: true };
    new MutationObserver(mark).observe(document, { ...changes, attributeFilter: ['style'] });
  });
}

/** The extension's page that is in sight: that of a tab in the editor area, or that of a view, wherever the view is. */
export function pageOf(page: Page, place: 'editor' | 'view'): FrameLocator {
  const overlay = `.webview-overlay-content[data-place=${place}]`;
  const outer = `${overlay} iframe.webview.ready[src*="extensionId=pi-mcp"]:visible`;
  return page.frameLocator(outer).frameLocator('#active-frame');
}
