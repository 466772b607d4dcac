import type { HostEnvironment } from '../../platform/ports.js';
import type { PiModule, PiSettings, PiTool } from '../pi/piModule.js';
import type { CallSubject } from '../policy/callSubject.js';
import { FileCalls } from './fileCalls.js';
import { createFilePreview } from './filePreview.js';
import { createFileTools } from './fileTools.js';
import { ShellCalls } from './shellCalls.js';

export interface BuiltInCallsOptions {
  readonly pi: PiModule;
  readonly cwd: string;
  readonly isWorkspaceTrusted: boolean;
  readonly environment: HostEnvironment;
}

/** Pi's own tools of one session, and what their calls would do. */
export class BuiltInCalls {
  readonly files: FileCalls;
  private shell: ShellCalls | undefined;

  constructor(private readonly options: BuiltInCallsOptions) {
    const { pi, cwd, isWorkspaceTrusted } = options;
    this.files = new FileCalls({
      folder: cwd,
      isTrusted: isWorkspaceTrusted,
      preview: createFilePreview(pi, cwd),
    });
  }

  /** They take the place of Pi's own. */
  createTools(settings: PiSettings): PiTool[] {
    const { isWorkspaceTrusted } = this.options;
    this.shell = isWorkspaceTrusted ? new ShellCalls(this.options, settings) : undefined;
    const files = createFileTools({ ...this.options, calls: this.files, settings });
    return [...files, ...(this.shell ? [this.shell.createTool()] : [])];
  }

  async describe(tool: string, args: unknown): Promise<CallSubject> {
    return (
      (await this.files.describe(tool, args)) ??
      this.shell?.describe(tool, args) ?? { identity: { key: tool, claims: [] } }
    );
  }
}
