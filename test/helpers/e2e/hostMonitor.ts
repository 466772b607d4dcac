/** What the monitor in the extension host of one window says. */
import { existsSync, readFileSync } from 'node:fs';

/** What the monitor calls our extension. */
export const ours = 'pi-mcp.pi-mcp';

interface Stall {
  /** For which the event loop did not come round. */
  readonly ms: number;
  /** Of these in which each extension had a processor. */
  readonly cpuMs: Readonly<Record<string, number>>;
}

export interface Period {
  readonly kind: 'period';
  /** By extension. */
  readonly cpuMs: Readonly<Record<string, number>>;
  readonly stalls: readonly Stall[];
}

type Line = Period | { readonly kind: 'ready'; readonly at: number };

export class HostMonitor {
  constructor(private readonly file: string) {}

  /** What tells the monitor where to write. */
  environment(): Readonly<Record<string, string>> {
    return { PI_MCP_MONITOR_FILE: this.file };
  }

  /** When each extension host of the window was ready for its first extension; milliseconds of the wall clock. */
  readyTimes(): readonly number[] {
    return this.lines().flatMap((line) => (line.kind === 'ready' ? [line.at] : []));
  }

  /** Those that have ended. */
  periods(): readonly Period[] {
    return this.lines().filter((line) => line.kind === 'period');
  }

  private lines(): readonly Line[] {
    return existsSync(this.file)
      ? readFileSync(this.file, 'utf8')
          .split('\n')
          .filter((line) => line !== '')
          .map((line): Line => JSON.parse(line))
      : [];
  }
}
