// @ts-check
/**
 * Stands in front of the main file of an extension, and appends what it took to load and to activate to the file that
 * PI_MCP_ACTIVATIONS_FILE names, one line of JSON each. VS Code's own figure counts from when it means to load an
 * extension, and with it all others that it loads before.
 */
const { appendFileSync } = process.getBuiltinModule('node:fs');

/**
 * @typedef {object} Activation
 * @property {string} name
 * @property {number} ms
 * @property {number} cpuMs
 */

/**
 * @param {string} name
 * @param {() => any} load
 */
function timeActivation(name, load) {
  const { value: extension, ...loading } = timed(load);
  /** @this {unknown} @param {unknown[]} args */
  function activate(...args) {
    const { value, ...activating } = timed(() => extension.activate.apply(this, args));
    const ms = loading.ms + activating.ms;
    const cpuMs = loading.cpuMs + activating.cpuMs;
    const { PI_MCP_ACTIVATIONS_FILE: file = '' } = process.env;
    appendFileSync(file, `${JSON.stringify({ name, ms, cpuMs })}\n`);
    return value;
  }
  return { activate, deactivate: () => extension.deactivate?.() };
}

/**
 * @template T
 * @param {() => T} work
 */
function timed(work) {
  const start = performance.now();
  const cpu = process.threadCpuUsage();
  const value = work();
  const { user, system } = process.threadCpuUsage(cpu);
  return { value, ms: performance.now() - start, cpuMs: (user + system) / 1_000 };
}

module.exports = { timeActivation };
