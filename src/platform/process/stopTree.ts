import { delay } from '../../base/async/cancellation.js';
import type { Event } from '../../base/event.js';
import { defaultGraceMs } from '../clock.js';
import type { ProcessTree, TreeRoot } from './tree.js';

/** Wait after SIGTERM, and again after SIGKILL. */
const killGraceMs = 2000;
/** For a system that ends a tree at once, and may be slow to say who is left; all of it together. */
const forcedMs = 3000;
/** Helpers that outlive the first process get no more than this to notice. */
const orphanGraceMs = 250;
/** A grace that becomes shorter while it passes, as when the window closes, is noticed within this time. */
const graceStepMs = 250;
/** Looks that are taken whatever the time is: on a busy machine one may take longer than all of it. */
const minLooks = 4;
const firstPollMs = 5;
const maxPollMs = 50;

export interface StopOptions {
  /** Milliseconds before SIGTERM, asked again while they pass. Default 2 000. */
  readonly graceMs?: (() => number) | undefined;
  readonly onDidExit?: Event<unknown>;
  /** Whether the first process has exited and been reaped. */
  readonly hasExited?: () => boolean;
}

/** What it took to end a tree; `walked`: one by one, since the way of the system did not work; `alive`: it withstood all of it. */
export type StopOutcome = 'exited' | 'terminated' | 'walked' | 'killed' | 'alive';

/** Waits for a tree to end by itself, then SIGTERM, then SIGKILL. Bounded. */
export async function stopTree(
  root: TreeRoot,
  tree: ProcessTree,
  options: StopOptions = {},
): Promise<StopOutcome> {
  const graceMs = options.graceMs ?? (() => defaultGraceMs);
  // a suspended process cannot react, so it is not waited for
  if (!(await tree.isSuspended(root))) {
    await waitForExit(options, graceMs);
  }
  if (tree.endsAtOnce) {
    return endAtOnce(root, tree, options);
  }
  const isLeaderGone = options.hasExited?.() ?? false;
  const restMs = Math.min(graceMs(), orphanGraceMs);
  if (isLeaderGone && (await waitUntilGone(root, tree, restMs))) {
    return 'exited';
  }
  // repeated, since some are only found when the others are gone; each is asked once
  if (await waitUntilGone(root, tree, killGraceMs, () => tree.signal(root, 'SIGTERM'))) {
    await waitForExit(options, () => killGraceMs);
    return 'terminated';
  }
  // again, since whoever is asked to end may start something more
  if (await waitUntilGone(root, tree, killGraceMs, () => tree.signal(root, 'SIGKILL'))) {
    await waitForExit(options, () => killGraceMs);
    return 'killed';
  }
  return 'alive';
}

async function endAtOnce(
  root: TreeRoot,
  tree: ProcessTree,
  options: StopOptions,
): Promise<StopOutcome> {
  const hasExited = options.hasExited ?? (() => false);
  const restMs = Math.min(options.graceMs?.() ?? defaultGraceMs, orphanGraceMs);
  let outcome: StopOutcome = 'terminated';
  const end = async () => {
    outcome = (await tree.signal(root, 'SIGKILL')) === 'walked' ? 'walked' : outcome;
  };
  const stop = async (): Promise<StopOutcome> => {
    if (hasExited() && (await waitUntilGone(root, tree, restMs))) {
      return 'exited';
    }
    const isGone = await waitUntilGone(root, tree, forcedMs, end);
    await waitForExit(options, () => killGraceMs);
    return isGone ? outcome : 'alive';
  };
  const over = new AbortController();
  // then nobody has said whether it left somebody behind
  const giveUp = delay(forcedMs, over.signal).then(() => (hasExited() ? outcome : 'alive'));
  const result = await Promise.race([stop(), giveUp]);
  over.abort();
  return result;
}

async function waitForExit(options: StopOptions, timeoutMs: () => number): Promise<void> {
  if (!options.onDidExit || !options.hasExited || options.hasExited()) {
    return;
  }
  const exited = new AbortController();
  const subscription = options.onDidExit(() => exited.abort());
  const startedAt = performance.now();
  for (;;) {
    const restMs = startedAt + timeoutMs() - performance.now();
    if (restMs <= 0 || exited.signal.aborted) {
      break;
    }
    // aborted: it has exited
    await delay(Math.min(restMs, graceStepMs), exited.signal).catch(() => undefined);
  }
  subscription.dispose();
}

async function waitUntilGone(
  root: TreeRoot,
  tree: ProcessTree,
  timeoutMs: number,
  beforeEach: () => Promise<unknown> = async () => undefined,
): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  let pollMs = firstPollMs;
  for (let looks = 1; await tree.isAlive(root); looks++) {
    if (looks >= minLooks && performance.now() >= deadline) {
      return false;
    }
    await beforeEach();
    await delay(pollMs);
    pollMs = Math.min(maxPollMs, pollMs * 2);
  }
  return true;
}
