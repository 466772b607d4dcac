import { lazy } from '../../base/async/once.js';

/** @returns what runs a script beside that of the page, once, and resolves to whether it could be had */
export function lazyScript(file: string): () => Promise<boolean> {
  return lazy(
    () =>
      new Promise((resolve) => {
        const page = document.querySelector<HTMLScriptElement>('script[src]');
        const script = document.createElement('script');
        if (!page) {
          resolve(false);
          return;
        }
        script.nonce = page.nonce;
        script.src = new URL(file, page.src).href;
        script.onload = () => resolve(true);
        script.onerror = () => resolve(false);
        document.head.append(script);
      }),
  );
}
