/** What a file of tests has started, for `test/costs.mjs`. */
export type Started = 'VS Code' | 'Chromium' | 'Pi' | 'core' | 'processes';

type Counts = Partial<Record<Started, number>>;

// a worker may load this module anew for each file
const held = globalThis as { piMcpStarts?: Counts };

export function noteStart(what: Started): void {
  held.piMcpStarts ??= {};
  held.piMcpStarts[what] = (held.piMcpStarts[what] ?? 0) + 1;
}

/** Those since the last call. */
export function takeStarts(): Counts {
  const counts = held.piMcpStarts ?? {};
  held.piMcpStarts = {};
  return counts;
}

/** @param file as it is spawned */
export function kindOfProcess(file: string, args: readonly string[]): Started {
  if (/chrom(e|ium)|headless_shell/i.test(file)) {
    return 'Chromium';
  }
  return args.some((arg) => /[\\/]code-server[\\/]/.test(arg)) ? 'VS Code' : 'processes';
}
