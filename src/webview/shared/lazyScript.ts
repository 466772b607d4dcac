const loading = new Map</* file */ string, Promise<boolean>>();

/** Runs a script beside that of the page, once. Resolves to whether it could be had. */
export function loadScript(file: string): Promise<boolean> {
  const known = loading.get(file);
  if (known) {
    return known;
  }
  const loaded = new Promise<boolean>((resolve) => {
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
  });
  loading.set(file, loaded);
  return loaded;
}
