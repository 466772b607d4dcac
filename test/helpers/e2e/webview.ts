/** Pages of webviews: VS Code lays an iframe over the workbench and shows the page in an iframe inside it. */
import type { FrameLocator, Page } from 'playwright-core';

/** Marks each page that VS Code lays over the workbench with the part of it over which it lies. For windows to come. */
export async function markPlaces(page: Page): Promise<void> {
  await page.addInitScript(() => {
    if (window !== window.top) {
      return;
    }
    const put = (overlay: HTMLElement, anchor: Element | null) => {
      const place = anchor?.closest('.part.editor') ? 'editor' : 'view';
      if (overlay.dataset.place !== place) {
        overlay.dataset.place = place;
      }
    };
    const mark = () => {
      for (const frame of document.querySelectorAll('iframe.webview')) {
        const overlay = frame.closest<HTMLElement>('.webview-overlay-content');
        const name = overlay?.style.getPropertyValue('position-anchor') ?? '';
        const anchors = document.querySelectorAll<HTMLElement>('[style*="anchor-name"]');
        const anchor = [...anchors].find(
          ({ style }) => name !== '' && style.getPropertyValue('anchor-name') === name,
        );
        if (overlay && anchor) {
          put(overlay, anchor);
        } else if (!overlay && frame.parentElement) {
          // older ones name the element in the editor area, and none in a view
          const { parentFlowToElementId = '' } = frame.parentElement.dataset;
          put(frame.parentElement, document.getElementById(parentFlowToElementId));
        }
      }
    };
    // once a frame: VS Code changes its document all the time
    let isDue = false;
    const markSoon = () => {
      if (!isDue) {
        isDue = true;
        requestAnimationFrame(() => {
          isDue = false;
          mark();
        });
      }
    };
    const changes = { subtree: true, childList: true, attributes: true };
    new MutationObserver(markSoon).observe(document, { ...changes, attributeFilter: ['style'] });
  });
}

/** The extension's page that is in sight: that of a tab in the editor area, or that of a view, wherever the view is. */
export function pageOf(page: Page, place: 'editor' | 'view'): FrameLocator {
  const outer = `[data-place=${place}] iframe.webview.ready[src*="extensionId=pi-mcp"]:visible`;
  return page.frameLocator(outer).frameLocator('#active-frame');
}
