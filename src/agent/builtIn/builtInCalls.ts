import { DisposableOwner } from '../../base/disposable.js';
import { errorMessage } from '../../base/errors.js';
import type { Machine } from '../../config/ports.js';
import { ChangesSummary } from '../changes/changesSummary.js';
import type { OpenEditors } from '../changes/ports.js';
import { SessionChanges } from '../changes/sessionChanges.js';
import type { PiEvent, PiModule, PiSettings, PiTool } from '../pi/piModule.js';
import type { CallSubject } from '../policy/callSubject.js';
import type { ToolIdentity } from '../policy/toolIdentity.js';
import type { ToolPolicy } from '../policy/toolPolicy.js';
import type { CompactionStored } from '../transcript/compaction.js';
import { detailsIn } from '../transcript/content.js';
import type { StoredInput } from '../transcript/stored.js';
import { ChangedFiles } from './changedFiles.js';
import { FileCalls } from './fileCalls.js';
import { createFilePreview } from './filePreview.js';
import { createFileTools } from './fileTools.js';
import { createPlanTool, planFault, planName, readPlan } from './planTool.js';
import { ShellCalls, shellName } from './shellCalls.js';
import { createTodoTool, todoName } from './todoTool.js';
import { UserCommands, type UserCommandsParts } from './userCommands.js';

export interface BuiltInCallsOptions {
  readonly pi: PiModule;
  /** Absolute; exists. */
  readonly cwd: string;
  readonly isWorkspaceTrusted: boolean;
  readonly machine: Machine;
  /** `undefined` without a folder: only global servers. */
  readonly folderUri: string | undefined;
  /** Default: every tool is on, with the default budget. */
  readonly tools?: ToolPolicy | undefined;
  /** Default: no editor is open. */
  readonly editors?: OpenEditors | undefined;
}

/** Pi's own tools of one session, and what their calls would do. */
export class BuiltInCalls extends DisposableOwner {
  private readonly files: FileCalls;
  /** What they did to files. */
  readonly changes: SessionChanges;
  readonly summary: ChangesSummary;
  /** What the user runs. */
  readonly user: UserCommands;
  private shell: ShellCalls | undefined;
  /** Calls under way that may change something, by id. */
  private readonly unrecorded = new Set<string>();

  constructor(
    private readonly options: BuiltInCallsOptions,
    user: UserCommandsParts,
  ) {
    super();
    const { pi, cwd, isWorkspaceTrusted, editors, machine } = options;
    const boundary = { folder: cwd, mayLookOutside: isWorkspaceTrusted };
    const files = new ChangedFiles(boundary, editors);
    this.changes = this.store.add(
      new SessionChanges({
        files,
        onError: (error) => machine.loggers.main.log('error', errorMessage(error)),
      }),
    );
    this.summary = this.store.add(new ChangesSummary(this.changes, cwd));
    const onDidEnd = () => {
      // it may have changed the same files
      this.summary.refresh();
      user.onDidEnd();
    };
    this.user = this.store.add(new UserCommands({ ...user, onDidEnd }, () => this.shell));
    if (editors) {
      this.store.add(
        editors.onDidChange((path) => {
          if (this.changes.state?.files.has(path)) {
            this.summary.refresh();
          }
        }),
      );
      this.store.add(editors.onDidMove(({ from, to }) => this.changes.moved(from, to)));
    }
    this.files = new FileCalls({
      folder: cwd,
      isTrusted: isWorkspaceTrusted,
      preview: createFilePreview(pi, cwd, files),
      editors,
      changes: this.changes,
    });
  }

  /** They take the place of Pi's own. */
  createTools(settings: PiSettings): PiTool[] {
    const { isWorkspaceTrusted } = this.options;
    this.shell = isWorkspaceTrusted ? new ShellCalls(this.options, settings) : undefined;
    const files = createFileTools({ ...this.options, calls: this.files, settings });
    return [
      ...files,
      ...(this.shell ? [this.shell.createTool()] : []),
      createTodoTool(),
      createPlanTool(),
    ];
  }

  /** A call that does more than read is about to run. */
  begin(toolCallId: string, { isSaidToRead }: ToolIdentity): void {
    if (!isSaidToRead) {
      this.unrecorded.add(toolCallId);
    }
  }

  /** Counts runs, and the calls whose changes are not recorded. */
  follow(event: PiEvent): void {
    if (event.type === 'agent_start') {
      this.changes.startRun();
    } else if (event.type === 'agent_settled') {
      // its commands may have changed the same files
      this.summary.refresh();
    } else if (event.type === 'tool_execution_end') {
      if (!this.unrecorded.delete(event.toolCallId)) {
        return;
      }
      if (event.toolName === shellName(this.options.machine.environment)) {
        this.changes.noteOther('command');
      } else if (detailsIn(event.result).isMcp === true) {
        this.changes.noteOther('server');
      }
    }
  }

  /** A message of the user is a moment to which the files can be taken back. */
  onStored(input: StoredInput | CompactionStored): void {
    if (input.type === 'message_stored' && input.role === 'user') {
      this.changes.checkpoints.mark(input.id);
    }
  }

  /** Absolute. */
  get folder(): string {
    return this.options.cwd;
  }

  async describe(tool: string, args: unknown): Promise<CallSubject> {
    if (tool === todoName) {
      return { identity: { key: tool, claims: [], allowedBy: { kind: 'harmless' } } };
    }
    if (tool === planName) {
      const plan = readPlan(args);
      const identity = { key: `${tool}:${JSON.stringify(args)}`, claims: [], plan };
      return plan ? { identity } : { identity, refusal: planFault };
    }
    return (
      (await this.files.describe(tool, args)) ??
      (await this.shell?.describe(tool, args)) ?? { identity: { key: tool, claims: [] } }
    );
  }
}
