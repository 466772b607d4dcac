import { delay } from '../../base/cancellation.js';
import type { Event } from '../../base/event.js';
import type { ProcessTree } from './processTree.js';

const defaultGraceMs = 2000;
/** Wait after SIGTERM, and again after SIGKILL. */
const killGraceMs = 2000;
/** Helpers that outlive the first process get no more than this to notice. */
const orphanGraceMs = 250;
const firstPollMs = 5;
const maxPollMs = 50;

export interface StopOptions {
  /** Milliseconds before SIGTERM. Default 2 000. */
  readonly graceMs?: number | undefined;
  readonly onDidExit?: Event<unknown>;
  /** Whether the first process has exited and been reaped. */
  readonly hasExited?: () => boolean;
}

/** Waits for a tree to end by itself, then SIGTERM, then SIGKILL. Bounded. @returns whether it is gone. */
export async function stopTree(
  pid: number,
  tree: ProcessTree,
  options: StopOptions = {},
): Promise<boolean> {
  const graceMs = options.graceMs ?? defaultGraceMs;
  await waitForExit(options, graceMs);
  const isLeaderGone = options.hasExited?.() ?? false;
  if (isLeaderGone && (await waitUntilGone(pid, tree, Math.min(graceMs, orphanGraceMs)))) {
    return true;
  }
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    await tree.signal(pid, signal);
    if (await waitUntilGone(pid, tree, killGraceMs)) {
      await waitForExit(options, killGraceMs);
      return true;
    }
  }
  return false;
}

async function waitForExit(options: StopOptions, timeoutMs: number): Promise<void> {
  if (!options.onDidExit || !options.hasExited || options.hasExited()) {
    return;
  }
  const exited = new AbortController();
  const subscription = options.onDidExit(() => exited.abort());
  // aborted: it has exited
  await delay(timeoutMs, exited.signal).catch(() => undefined);
  subscription.dispose();
}

async function waitUntilGone(pid: number, tree: ProcessTree, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  let pollMs = firstPollMs;
  while (await tree.isAlive(pid)) {
    if (Date.now() >= deadline) {
      return false;
    }
    await delay(pollMs);
    pollMs = Math.min(maxPollMs, pollMs * 2);
  }
  return true;
}
