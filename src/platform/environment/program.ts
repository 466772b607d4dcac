import { type ExecutableResolution, type Inspect, resolveExecutable } from '../executable.js';
import { type NpxResolution, resolveNpx } from '../npx/resolveNpx.js';
import type { HostEnvironment } from '../ports.js';
import { readVariable } from './childEnvironment.js';

/** What is to be started, and where. */
export interface ProgramRequest {
  readonly command: string;
  readonly args: readonly string[];
  /** Absolute. */
  readonly cwd: string;
}

export interface ProgramSearch {
  readonly environment: HostEnvironment;
  /** Of the child: its PATH decides. */
  readonly env: Readonly<Record<string, string>>;
  /** Default: whatever is on this machine may be looked at. */
  readonly inspect?: Inspect | undefined;
  /** Whether a file may be opened. Default: every one. */
  readonly mayRead?: ((file: string) => Promise<boolean>) | undefined;
}

export interface Program {
  /** As far as npm is left out, what runs in its place. */
  readonly request: ProgramRequest;
  readonly executable: ExecutableResolution;
  /** Set when it runs without npm. */
  readonly npx: NpxResolution | undefined;
}

/** The program behind `npx` when it is known and can start, else what the launch says. Never rejects. */
export async function findProgram(
  request: ProgramRequest,
  search: ProgramSearch,
): Promise<Program> {
  const npx = await resolveNpx(request, search.environment, { mayRead: search.mayRead });
  const direct = npx && (await findExecutable(npx.request, search));
  return npx && direct?.kind === 'found'
    ? { request: npx.request, executable: direct, npx }
    : { request, executable: await findExecutable(request, search), npx: undefined };
}

function findExecutable(
  { command, cwd }: ProgramRequest,
  { environment: { platform }, env, inspect }: ProgramSearch,
): Promise<ExecutableResolution> {
  const path = readVariable(env, 'PATH', platform) ?? '';
  const pathExt = readVariable(env, 'PATHEXT', platform);
  return resolveExecutable(command, { path, cwd, platform, pathExt, inspect });
}
