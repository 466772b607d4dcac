// @ts-check
/**
 * Runs in the extension host beside the extension and writes lines of JSON to the file that PI_MCP_MONITOR_FILE names:
 * when the host was ready, what held it up, and whose code its processor time went to.
 *
 * @typedef {object} Period
 * @property {'period'} kind
 * @property {Readonly<Record<string, number>>} cpuMs that this thread had a processor, by extension; what is no extension's
 *   is not counted
 * @property {readonly Stall[]} stalls
 *
 * @typedef {object} Stall
 * @property {number} ms for which the event loop did not come round
 * @property {Readonly<Record<string, number>>} cpuMs of these that this thread had a processor, by extension
 */
const { appendFileSync } = process.getBuiltinModule('node:fs');
const { Session } = process.getBuiltinModule('node:inspector');

const beatMs = 5;
/** What is no pause of the machine. */
const stallMs = 50;
// to end a profile and to begin another one holds the host up as well
const periodMs = 5_000;
const sampleMicroseconds = 1_000;

/** @typedef {import('node:inspector').Profiler.Profile} Profile */

const file = process.env.PI_MCP_MONITOR_FILE;
const session = new Session();
/** Start and end in microseconds of the clock that profiles have. @type {{ start: number, end: number, cpuMs: number }[]} */
let held = [];
let lastBeat = 0;
let lastCpuMs = 0;
let periodStartCpuMs = 0;
/** @type {NodeJS.Timeout[]} */
const timers = [];

function activate() {
  if (!file) {
    return;
  }
  write({ kind: 'ready', at: Date.now() });
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.setSamplingInterval', { interval: sampleMicroseconds });
  session.post('Profiler.start');
  restart();
  timers.push(setInterval(beat, beatMs), setInterval(endPeriod, periodMs));
}

function deactivate() {
  timers.forEach(clearInterval);
  if (file) {
    endPeriod();
  }
}

function beat() {
  const time = now();
  const cpuMs = threadCpuMs();
  if (time - lastBeat > (beatMs + stallMs) * 1_000) {
    held.push({ start: lastBeat, end: time, cpuMs: cpuMs - lastCpuMs });
  }
  lastBeat = time;
  lastCpuMs = cpuMs;
}

function restart() {
  lastBeat = now();
  lastCpuMs = threadCpuMs();
  periodStartCpuMs = lastCpuMs;
}

function endPeriod() {
  beat();
  const busyCpuMs = lastCpuMs - periodStartCpuMs;
  session.post('Profiler.stop', (error, { profile } = /** @type {any} */ ({})) => {
    if (!error) {
      write(describe(profile, held, busyCpuMs));
    }
    held = [];
    session.post('Profiler.start');
    // what the profile itself took is nobody's
    restart();
  });
}

/**
 * @param {Profile} profile
 * @param {typeof held} pauses
 * @param {number} busyCpuMs what this thread had of a processor
 * @returns {Period}
 */
function describe(profile, pauses, busyCpuMs) {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const parents = new Map(
    profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])),
  );
  /** @param {number | undefined} id @returns {NonNullable<ReturnType<typeof nodes.get>>[]} */
  const stackOf = (id) => {
    const node = id === undefined ? undefined : nodes.get(id);
    return node ? [node, ...stackOf(parents.get(node.id))] : [];
  };
  const owners = new Map(profile.nodes.map(({ id }) => [id, ownerOf(stackOf(id))]));
  /** @type {Record<string, number>} */
  const cpuMs = {};
  const all = samplesOf(profile);
  const samples = all.filter(({ id }) => !isIdle(nodes.get(id)));
  // samples are of the clock: they count the time in which something else had the processor as well
  const share = Math.min(1, busyCpuMs / Math.max(1, sumOf(samples)));
  for (const { id, ms } of samples) {
    const owner = owners.get(id);
    if (owner) {
      cpuMs[owner] = (cpuMs[owner] ?? 0) + ms * share;
    }
  }
  const stalls = pauses.map((pause) => {
    const inside = all.filter(({ at }) => at > pause.start && at <= pause.end);
    const total = sumOf(inside);
    /** @type {Record<string, number>} */
    const own = {};
    for (const { id, ms } of inside) {
      const owner = owners.get(id);
      if (owner) {
        own[owner] = (own[owner] ?? 0) + pause.cpuMs * (ms / total);
      }
    }
    return { ms: Math.round((pause.end - pause.start) / 1_000 - beatMs), cpuMs: own };
  });
  return { kind: 'period', cpuMs, stalls };
}

/** @param {readonly { ms: number }[]} samples */
function sumOf(samples) {
  return samples.reduce((sum, { ms }) => sum + ms, 0);
}

/** @param {Profile} profile */
function samplesOf({ samples = [], timeDeltas = [], startTime }) {
  let at = startTime;
  return samples.map((id, index) => {
    at += timeDeltas[index] ?? 0;
    return { id, at, ms: (timeDeltas[index + 1] ?? 0) / 1_000 };
  });
}

/** Name of the innermost extension of a stack. @param {readonly { callFrame: { url: string } }[]} stack */
function ownerOf(stack) {
  for (const { callFrame } of stack) {
    const name = /\/extensions\/([^/]+)\//.exec(callFrame.url)?.[1];
    if (name) {
      return name.replace(/-\d+\.\d+\.\d+.*$/, '');
    }
  }
  return '';
}

/** @param {{ callFrame: { functionName: string } } | undefined} node */
function isIdle(node) {
  return ['(idle)', '(program)', '(root)'].includes(node?.callFrame.functionName ?? '(root)');
}

/** What this thread had of a processor. */
function threadCpuMs() {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** Microseconds of the clock that profiles have. */
function now() {
  return Number(process.hrtime.bigint() / 1_000n);
}

/** @param {Period | { kind: 'ready', at: number }} line */
function write(line) {
  appendFileSync(String(file), `${JSON.stringify(line)}\n`);
}

module.exports = { activate, deactivate };
