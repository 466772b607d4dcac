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
   */
  run(file: string, args: readonly string[]): Promise<string | undefined>;
}

const outputBytes = 16 * 1024 * 1024;
/** Milliseconds. A busy machine needs seconds to start PowerShell. */
const timeoutMs = 10_000;

export const nodeOperatingSystem: OperatingSystem = {
  platform: process.platform,
  kill: (pid, signal) => void process.kill(pid, signal),
  run: (file, args) =>
    new Promise((resolve) => {
      const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' };
      const options = { env, windowsHide: true, timeout: timeoutMs, maxBuffer: outputBytes };
      execFile(file, [...args], options, (error, stdout) => resolve(error ? undefined : stdout));
    }),
};

/** By its full path, since Windows would first look into the folder in which the window was opened. */
export function windowsProgram(name: 'taskkill' | 'powershell'): string {
  const system = win32.join(process.env.SystemRoot ?? 'C:\\Windows', 'System32');
  return name === 'powershell'
    ? win32.join(system, 'WindowsPowerShell', 'v1.0', 'powershell.exe')
    : win32.join(system, `${name}.exe`);
}
