/** A script beside that of the page, which is loaded when it is first needed. */

export interface CodeTools {
  /** HTML of spans with classes, still to be sanitized; `undefined` for a language that it does not know. */
  highlight(text: string, language: string): string | undefined;
  /** A Mermaid diagram as lines of text; `undefined` for what cannot be drawn. */
  draw(source: string): { readonly text: string; readonly isWhole: boolean } | undefined;
}

interface Shared {
  piMcpCodeTools?: CodeTools;
}

const shared = globalThis as Shared;
let loading: Promise<CodeTools | undefined> | undefined;

export function offerCodeTools(tools: CodeTools): void {
  shared.piMcpCodeTools = tools;
}

/** Resolves to `undefined` where the script cannot be had: code is as good without colours. */
export function loadCodeTools(): Promise<CodeTools | undefined> {
  loading ??= new Promise((resolve) => {
    const page = document.querySelector<HTMLScriptElement>('script[src]');
    const script = document.createElement('script');
    if (!page) {
      resolve(undefined);
      return;
    }
    script.nonce = page.nonce;
    script.src = new URL('code.js', page.src).href;
    script.onload = () => resolve(shared.piMcpCodeTools);
    script.onerror = () => resolve(undefined);
    document.head.append(script);
  });
  return loading;
}
