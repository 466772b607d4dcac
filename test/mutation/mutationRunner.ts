/**
 * Runs each test as it is, notes which mutants it meets, and runs it once more for each of them that no test has
 * noticed yet. What it is told is in `plan.json`, what it finds in `found.jsonl` of the copy that it runs in.
 */
import { appendFileSync, openSync, readFileSync, writeSync } from 'node:fs';
import type { RunnerTask, RunnerTestFile, SerializedConfig } from 'vitest';
import { TestRunner } from 'vitest';
import { type Found, files, limitOf, type Plan, type Running } from './plan.js';

type Test = Parameters<TestRunner['onAfterTryTask']>[0];
type Try = Parameters<TestRunner['onBeforeTryTask']>[1];

// as they are before a test replaces them
const now = performance.now.bind(performance);
const { setTimeout, clearTimeout } = globalThis;

/** Of one worker: files after another share it. */
interface State {
  readonly plan: Plan;
  /** Mutants that no test has noticed yet. */
  readonly alive: Set<number>;
  readonly running: number;
  /** The mutant of now, 0 for none. */
  active: number;
  /** What the source has asked for: 1 at its number. */
  readonly seen: Uint8Array;
  hits: number;
  startedAt: number;
  limitMs: number;
  tries: number;
  /** What a mutant has left makes tests fail without it: what follows proves nothing. */
  isSpoiled: boolean;
}

interface Current {
  /** The mutant of each try, 0 for none. */
  readonly tries: number[];
  /** Without a mutant; `undefined`: that is being tried. */
  ms: number | undefined;
}

export default class MutationRunner extends TestRunner {
  private readonly state: State;
  private readonly current = new Map<string, Current>();
  private testFile = '';

  constructor(config: SerializedConfig) {
    super(config);
    const held = globalThis as { piMcpMutation?: State };
    held.piMcpMutation ??= start();
    this.state = held.piMcpMutation;
  }

  override onCollectStart(file: RunnerTestFile): void {
    super.onCollectStart(file);
    this.testFile = file.name;
    this.state.seen.fill(0);
  }

  onCollected(collected: RunnerTestFile[]): void {
    note({ kind: 'loaded', file: this.testFile, seen: this.takeSeen() });
    inTurn(collected);
  }

  override async onBeforeRunTask(task: RunnerTask): Promise<void> {
    await super.onBeforeRunTask(task);
    const test = task as Test;
    const { plan, isSpoiled, alive } = this.state;
    const key = this.keyOf(test);
    const isChosen = plan.only === undefined || Object.hasOwn(plan.only, key);
    const isOver = isSpoiled || alive.size === 0 || plan.finished.includes(key);
    if (!isChosen || isOver || test.fails) {
      test.mode = 'skip';
    } else if (test.mode === 'run' || test.mode === 'queued') {
      const tries = [plan.one ?? 0];
      this.current.set(test.id, { tries, ms: undefined });
      // it grows while the test runs
      Object.assign(test, { repeats: { valueOf: () => tries.length - 1 } });
    }
  }

  override onBeforeTryTask(task: RunnerTask, options: Try): void {
    super.onBeforeTryTask(task, options);
    const { state } = this;
    const current = this.current.get(task.id);
    state.active = current?.tries[options.repeats] ?? 0;
    state.seen.fill(0);
    state.hits = 0;
    const ms = current?.ms ?? state.plan.only?.[this.keyOf(task)]?.ms ?? null;
    state.limitMs = state.active === 0 ? Number.POSITIVE_INFINITY : limitOf(ms ?? 0);
    state.tries += 1;
    this.tell({ mutant: state.active, tries: state.tries, ms });
    state.startedAt = now();
  }

  async runTask(test: Test): Promise<void> {
    const work = Promise.resolve(TestRunner.getTestFn(test)?.());
    const { limitMs } = this.state;
    if (limitMs === Number.POSITIVE_INFINITY) {
      return work;
    }
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('late')), limitMs);
    });
    try {
      await Promise.race([work, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  override async onAfterRetryTask(test: Test, options: Try): Promise<void> {
    await super.onAfterRetryTask(test, options);
    const current = this.current.get(test.id);
    if (!current || !test.result || test.result.state === 'skip') {
      return;
    }
    const ms = now() - this.state.startedAt;
    const hasFailed = test.result.state === 'fail';
    const isLate = test.result.errors?.some(({ message }) => message === 'late') === true;
    // the next try starts anew, and vitest is to go on
    test.result.state = 'pass';
    test.result.errors = undefined;
    this.judge(test, current, options.repeats, { hasFailed, isLate, ms });
    // files that come later load their sources with it
    this.state.active = this.state.plan.one ?? 0;
  }

  override onAfterRunTask(test: RunnerTask): void {
    super.onAfterRunTask(test);
    Object.assign(test, { repeats: 0 });
    if (this.current.has(test.id) && !this.state.isSpoiled) {
      note({ kind: 'finished', key: this.keyOf(test) });
    }
    // hooks and the next file take what they take
    const { plan, tries } = this.state;
    this.tell({ mutant: plan.one ?? 0, tries, ms: null });
    if (test.result) {
      Object.assign(test.result, { attempts: [], repeatCount: 0 });
    }
    this.current.delete(test.id);
  }

  override onAfterRunFiles(testFiles: RunnerTestFile[]): void {
    super.onAfterRunFiles(testFiles);
    if (!this.state.isSpoiled) {
      note({ kind: 'done', file: this.testFile });
    }
  }

  private tell(running: Running): void {
    writeSync(this.state.running, JSON.stringify(running).padEnd(100), 0);
  }

  private judge(
    test: Test,
    current: Current,
    at: number,
    { hasFailed, isLate, ms }: { hasFailed: boolean; isLate: boolean; ms: number },
  ): void {
    const { state } = this;
    const { alive, plan } = state;
    const { tries } = current;
    const key = this.keyOf(test);
    const mutant = tries[at] ?? 0;
    if (mutant > 0) {
      if (hasFailed) {
        alive.delete(mutant);
        note({ kind: isLate ? 'late' : 'killed', mutant, by: key });
        if (plan.one === undefined) {
          tries.splice(at + 1, 0, 0);
        } else {
          // one is enough
          alive.clear();
        }
      }
    } else if (at === 0) {
      const seen = this.takeSeen();
      note({ kind: 'test', key, isGreen: !hasFailed, ms: Math.round(ms), seen });
      current.ms = ms;
      const chosen = plan.only?.[key]?.mutants;
      if (!hasFailed && (chosen || ms <= plan.slowMs)) {
        const met = (chosen ?? seen).filter((one) => alive.has(one));
        tries.push(...(met.length > 0 ? [0, ...met] : []));
      }
    } else if (hasFailed) {
      tries.splice(at + 1);
      // that it cannot run twice says nothing of mutants
      if (at > 1) {
        state.isSpoiled = true;
      }
      note({ kind: 'spoiled', key, isByMutant: at > 1 });
    }
  }

  private takeSeen(): readonly number[] {
    return [...this.state.seen.keys()].filter((number) => this.state.seen[number] === 1);
  }

  private keyOf(task: RunnerTask): string {
    const names: string[] = [];
    for (let one: RunnerTask | undefined = task; one; one = one.suite) {
      names.unshift(one.name);
    }
    return [this.testFile, ...names.filter((name) => name !== this.testFile)].join(' > ');
  }
}

function start(): State {
  const plan = JSON.parse(readFileSync(files.plan, 'utf8')) as Plan;
  const state: State = {
    plan,
    alive: new Set(plan.one === undefined ? plan.alive : [plan.one]),
    running: openSync(files.running, 'w'),
    active: plan.one ?? 0,
    seen: new Uint8Array(plan.count + 1),
    hits: 0,
    startedAt: now(),
    limitMs: Number.POSITIVE_INFINITY,
    tries: 0,
    isSpoiled: false,
  };
  const ask = (number: number) => {
    state.seen[number] = 1;
    if (number !== state.active) {
      return false;
    }
    state.hits += 1;
    if (state.hits % 1000 === 0 && now() - state.startedAt > state.limitMs) {
      throw new Error('late');
    }
    return true;
  };
  Object.assign(globalThis, { piMcpMutant: ask });
  return state;
}

/** One test after the other, each once. */
function inTurn(tasks: readonly RunnerTask[]): void {
  for (const task of tasks) {
    Object.assign(task, { concurrent: false, retry: 0 });
    if ('tasks' in task) {
      inTurn(task.tasks);
    }
  }
}

function note(found: Found): void {
  appendFileSync(files.found, `${JSON.stringify(found)}\n`);
}
