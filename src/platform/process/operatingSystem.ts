import { execFile } from 'node:child_process';
import { win32 } from 'node:path';

/** What is asked of the operating system about processes, as it is on each; tests answer for systems they do not run on. */
export interface OperatingSystem {
  readonly platform: NodeJS.Platform;
  /** As `process.kill`. @throws a system error such as `ESRCH`. */
  kill(pid: number, signal: NodeJS.Signals | 0): void;
  /**
   * What a program of the system writes, in English and with times in UTC; undefined when it fails or takes too long.
   * Never rejects.
   * @param timeoutMs Default: what a busy machine needs.
   */
  run(file: string, args: readonly string[], timeoutMs?: number): Promise<string | undefined>;
}

const outputBytes = 16 * 1024 * 1024;
/** Milliseconds. A busy machine needs seconds to start PowerShell. */
const patienceMs = 10_000;

export const nodeOperatingSystem: OperatingSystem = {
  platform: process.platform,
  kill: (pid, signal) => void process.kill(pid, signal),
  run: (file, args, timeoutMs = patienceMs) =>
    new Promise((resolve) => {
      const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' };
      const options = { env, windowsHide: true, maxBuffer: outputBytes };
      const child = execFile(file, [...args], options, (error, stdout) => {
        clearTimeout(timer);
        resolve(error ? undefined : stdout);
      });
      const timer = setTimeout(() => {
        // it may have handed its output to a program that runs on, so its end is not waited for
        child.kill('SIGKILL');
        child.stdout?.destroy();
        child.stderr?.destroy();
        child.unref();
        resolve(undefined);
      }, timeoutMs);
    }),
};

const windowsPrograms = {
  taskkill: ['taskkill.exe'],
  powershell: ['WindowsPowerShell', 'v1.0', 'powershell.exe'],
  wmic: ['wbem', 'wmic.exe'],
} as const;

/** By its full path, since Windows would first look into the folder in which the window was opened. */
export function windowsProgram(name: keyof typeof windowsPrograms): string {
  const root = process.env.SystemRoot ?? 'C:\\Windows';
  return win32.join(root, 'System32', ...windowsPrograms[name]);
}
