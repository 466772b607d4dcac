import { spawnSync } from 'node:child_process';

const flags = ['--no-opt', '--no-sparkplug', '--no-maglev', '--no-flush-bytecode', '--expose-gc'];

/**
 * Calls an exported function of a bench in a process of its own, whose heap holds no compiled code: that grows for some
 * hundred runs, and is none of ours. Only a start can switch the compilers off.
 * @param file the bundle of the bench, as its `__filename` says
 * @param args what JSON can hold
 * @returns what the function resolves with
 */
export function callWithoutCompilers<T>(file: string, name: string, ...args: unknown[]): T {
  const script = `
    const [file, name, args] = process.argv.slice(1);
    require(file)[name](...JSON.parse(args)).then((result) => console.log(JSON.stringify(result)));`;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [...flags, '-e', script, file, name, JSON.stringify(args)],
    { encoding: 'utf8' },
  );
  if (status !== 0) {
    throw new Error(`Measuring ${name} failed: ${stderr}`);
  }
  return JSON.parse(stdout);
}
