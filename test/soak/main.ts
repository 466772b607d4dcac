/** `npm run soak -- [--seed=N] [--steps=N] [--servers=N] [--load]`: a long run of the soak; prints what it did. */
import { runSoak } from './soak.js';

const option = (name: string, fallback: number) => {
  const found = process.argv.find((arg) => arg.startsWith(`--${name}=`));
  return found === undefined ? fallback : Number(found.slice(name.length + 3));
};
const seed = option('seed', Date.now() % 1_000_000);
const steps = option('steps', 3000);
const servers = option('servers', 100);
const isLoaded = process.argv.includes('--load');

console.log(`Seed ${seed}, ${steps} steps, ${servers} servers${isLoaded ? ', beside a load' : ''}`);
const startedAt = performance.now();
const report = await runSoak({
  seed,
  steps,
  servers,
  isLoaded,
  onStep: (step) => {
    if (step % 100 === 0) {
      const heap = Math.round(process.memoryUsage().heapUsed / 1024 / 1024);
      console.log(
        `step ${step}, ${Math.round((performance.now() - startedAt) / 1000)} s, ${heap} MB`,
      );
    }
  },
});
const heap = report.heap.map((bytes) => (bytes / 1024 / 1024).toFixed(1)).join(', ');
console.log(`Every invariant held after each of ${steps} events:`, report.events);
console.log(
  `Longest lag of a state ${Math.round(report.longestLag)} ms; heap after each quarter ${heap} MB`,
);
// what was closed last is gone a moment later; the standard streams are pipes too
await new Promise((resolve) => setTimeout(resolve, 1000));
const left = process.getActiveResourcesInfo().filter((name) => /Process|TCP|TLS/.test(name));
console.log(`Handles left: ${left.length === 0 ? 'none' : left.join(', ')}`);
process.exit(0);
