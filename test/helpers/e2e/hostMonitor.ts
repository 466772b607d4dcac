/** What the monitor in the extension host of one window says. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { OwnStall } from '../../stalls.mjs';

/** What the monitor calls our extension. */
export const ours = 'pi-mcp.pi-mcp';

interface Place {
  readonly functionName: string;
  readonly url: string;
  /** Counted from 0, as the column. */
  readonly lineNumber: number;
  readonly columnNumber: number;
}

interface Stall {
  readonly ms: number;
  readonly cpuMs: number;
  readonly shares: readonly {
    readonly owner: string;
    readonly cpuMs: number;
    readonly place: Place;
    readonly stack: readonly string[];
  }[];
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
  environment(watching: 'coarse' | 'close' | 'none'): Readonly<Record<string, string>> {
    return {
      ...(watching !== 'none' && { PI_MCP_MONITOR_FILE: this.file }),
      ...(watching === 'coarse' && { PI_MCP_MONITOR_IS_COARSE: 'true' }),
    };
  }

  /** When each extension host of the window was ready for its first extension; milliseconds of the wall clock. */
  readyTimes(): readonly number[] {
    return this.lines().flatMap((line) => (line.kind === 'ready' ? [line.at] : []));
  }

  /** Those that have ended. */
  periods(): readonly Period[] {
    return this.lines().filter((line) => line.kind === 'period');
  }

  /** Adds the stalls that our code had a part in to those of the test file, for the table of the run. */
  keepStalls(): void {
    const dir = process.env.PI_MCP_STALLS_DIR;
    if (dir) {
      const { testPath = '' } = expect.getState();
      const lines = this.ownStalls().map((stall) => `${JSON.stringify(stall)}\n`);
      const story = basename(testPath).replace(/\.\w+\.ts$/, '');
      appendFileSync(join(dir, `${story}.jsonl`), lines.join(''));
    }
  }

  private ownStalls(): readonly OwnStall[] {
    return this.periods().flatMap(({ stalls }) =>
      stalls.flatMap(({ ms, cpuMs, shares }) => {
        const own = shares.find(({ owner }) => owner === ours);
        return own && own.cpuMs > 0
          ? [{ ms, cpuMs, ownCpuMs: own.cpuMs, place: describePlace(own.place), stack: own.stack }]
          : [];
      }),
    );
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

const excerptBefore = 30;
const excerptAfter = 50;

/** Names of packaged functions are short: the text around the place tells more. */
function describePlace({ functionName, url, lineNumber, columnNumber }: Place): string {
  const path = url.startsWith('file:') ? fileURLToPath(url) : url;
  const line = existsSync(path) ? readFileSync(path, 'utf8').split('\n')[lineNumber] : undefined;
  const excerpt = line?.slice(
    Math.max(0, columnNumber - excerptBefore),
    columnNumber + excerptAfter,
  );
  const name = `${functionName || '(anonymous)'} ${basename(path)}`;
  return excerpt ? `${name} … ${excerpt} …` : name;
}
