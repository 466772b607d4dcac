/** A script beside that of the page, which is loaded when it is first needed. */
import { lazyScript } from './lazyScript.js';

export interface CodeTools {
  /** HTML of spans with classes, still to be sanitized; `undefined` for a language that it does not know. */
  highlight(text: string, language: string): string | undefined;
}

interface Shared {
  piMcpCodeTools?: CodeTools;
}

const shared = globalThis as Shared;
const load = lazyScript('code.js');

export function offerCodeTools(tools: CodeTools): void {
  shared.piMcpCodeTools = tools;
}

/** Resolves to `undefined` where the script cannot be had: code is as good without colours. */
export async function loadCodeTools(): Promise<CodeTools | undefined> {
  return (await load()) ? shared.piMcpCodeTools : undefined;
}
