/** Work that takes from the rest of the machine what a busy window takes: processors, and the threads of Node. */
import { pbkdf2 } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

/** Iterations of one job: about 20 ms of a thread. */
const jobIterations = 40_000;

/** Keeps `jobs` jobs in the pool of threads at all times, as other extensions that read many files. */
export function startPoolLoad(jobs: number): { stop(): Promise<void> } {
  let isStopped = false;
  const run = async () => {
    while (!isStopped) {
      await new Promise((resolve) => pbkdf2('a', 'b', jobIterations, 32, 'sha256', resolve));
    }
  };
  const running = Promise.all(Array.from({ length: jobs }, run));
  return {
    async stop() {
      isStopped = true;
      await running;
    },
  };
}

/** One thread for each processor that never rests. */
export function startProcessorLoad(): { stop(): Promise<void> } {
  const workers = Array.from(
    { length: availableParallelism() },
    () => new Worker('for (;;) { Math.random(); }', { eval: true }),
  );
  return {
    async stop() {
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}
