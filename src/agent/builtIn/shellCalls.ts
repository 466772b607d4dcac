/** Commands of the model. The line is built once: it is shown, approved and then given to the shell. */
import { errorMessage } from '../../base/errors.js';
import { asObject, asString, isJsonObject } from '../../base/json.js';
import type { Machine } from '../../config/ports.js';
import type { HostEnvironment } from '../../platform/ports.js';
import type { PiModule, PiSettings, PiTool, PiToolResult } from '../pi/piModule.js';
import { type CallSubject, Pins } from '../policy/callSubject.js';
import { ruleOf } from '../policy/shell/commandRuleStore.js';
import {
  type CommandPattern,
  findLinePlaces,
  findLineReading,
  isKnownShell,
  startedByLine,
} from '../policy/shell/commandRules.js';
import { guardedInLine } from '../policy/shell/guardedCommands.js';
import type { CommandIdentity } from '../policy/toolIdentity.js';
import type { ToolPolicy } from '../policy/toolPolicy.js';
import type { CommandEnd } from '../transcript/calls/userCommand.js';
import { resultBlocks } from '../transcript/content.js';

export interface ShellCallsOptions {
  readonly pi: PiModule;
  readonly cwd: string;
  readonly machine: Machine;
  readonly folderUri?: string | undefined;
  /** Default: rules hold for one conversation alone. */
  readonly tools?: Pick<ToolPolicy, 'commands'> | undefined;
}

interface ShellLine {
  readonly shell: string;
  readonly args: readonly string[];
  /** With the prefix of the user's settings. */
  readonly command: string;
}

export function shellName({ platform }: HostEnvironment): 'bash' | 'powershell' {
  return platform === 'win32' ? 'powershell' : 'bash';
}

export class ShellCalls {
  private readonly pins = new Pins<ShellLine>();
  private readonly name: 'bash' | 'powershell';

  /** @param settings whose shell and prefix are the user's */
  constructor(
    private readonly options: ShellCallsOptions,
    private readonly settings: PiSettings,
  ) {
    this.name = shellName(options.machine.environment);
  }

  /** `undefined`: the tool is not the shell. */
  async describe(tool: string, args: unknown): Promise<CallSubject | undefined> {
    if (tool !== this.name) {
      return undefined;
    }
    try {
      const line = this.lineOf(args);
      const text = [[line.shell, ...line.args].join(' '), line.command].join('\n');
      const isKnown = isKnownShell(line.shell);
      const starts = isKnown
        ? await startedByLine(modelCommand(args), this.options.cwd)
        : undefined;
      return {
        // "for this session" covers this very line
        identity: {
          key: JSON.stringify([tool, text, ...(starts ? [starts] : [])]),
          claims: [],
          subject: { kind: 'call', tool, text: line.command },
          command: isKnown ? await this.commandOf(args) : undefined,
          starts,
          guarded: guardedInLine(modelCommand(args), isKnown),
          effect: { kind: 'command', text },
        },
        pin: (toolCallId) => this.pins.set(toolCallId, line),
      };
    } catch (error) {
      return { identity: { key: tool, claims: [] }, refusal: errorMessage(error) };
    }
  }

  /** Of what the model wrote: what the user's settings put before it is the user's. */
  private async commandOf(args: unknown): Promise<CommandIdentity> {
    const { cwd, machine, folderUri, tools } = this.options;
    const path = machine.environment.getVariable('PATH') ?? '';
    const line = modelCommand(args);
    const store = tools?.commands;
    const allowIn = (uri: string | undefined) => (patterns: readonly CommandPattern[]) =>
      patterns.map((pattern) => {
        store
          ?.allow(uri, pattern)
          .catch((error) => machine.loggers.main.log('error', errorMessage(error)));
        return ruleOf({ ...pattern, folderUri: uri, allowedAt: new Date().toISOString() });
      });
    return {
      line,
      places: await findLinePlaces(line, cwd),
      reading: await findLineReading(line, cwd, path),
      stored: () => store?.rulesIn(folderUri) ?? [],
      allow: store
        ? {
            folder: folderUri === undefined ? undefined : allowIn(folderUri),
            everywhere: allowIn(undefined),
          }
        : {},
    };
  }

  /** Pi's tool with the editor's own variables kept out of commands. */
  createTool(): PiTool {
    const plain = this.toolFor();
    return {
      ...plain,
      execute: async (id, args, ...rest) => {
        const line = this.pins.take(id);
        if (this.lineOf(args).command !== line.command) {
          throw new Error('The command is not the one that was approved.');
        }
        return await this.toolFor(line).execute(id, args, ...rest);
      },
    };
  }

  /** What the user typed, which nobody is asked about. Rejects when it could not be started. */
  async run(
    command: string,
    signal: AbortSignal,
    onOutput: (text: string) => void,
  ): Promise<CommandEnd & { readonly output: string }> {
    const line = this.lineOf({ command });
    let output = '';
    let cut: Pick<CommandEnd, 'isCut' | 'fullOutput'> = { isCut: false };
    const follow = (partial: PiToolResult) => {
      const [block] = resultBlocks(partial);
      output = block?.kind === 'text' ? block.text : output;
      cut = cutOf(partial.details);
      onOutput(output);
    };
    try {
      // of what Pi gives to tools it needs the variables of the session alone, which are the agent's
      const noContext = undefined as unknown as Parameters<PiTool['execute']>[4];
      await this.toolFor(line).execute('', { command }, signal, follow, noContext);
      return { output, exitCode: 0, isStopped: false, ...cut };
    } catch (error) {
      const exitCode = exitCodeIn(errorMessage(error));
      if (!signal.aborted && exitCode === undefined) {
        throw error;
      }
      return { output, exitCode, isStopped: signal.aborted, ...cut };
    }
  }

  private lineOf(args: unknown): ShellLine {
    const command = modelCommand(args);
    const prefix = this.settings.getShellCommandPrefix();
    const { pi } = this.options;
    const config =
      this.name === 'powershell'
        ? pi.getPowerShellConfig()
        : pi.getShellConfig(this.settings.getShellPath());
    return {
      shell: config.shell,
      args: config.args,
      command: prefix ? `${prefix}\n${command}` : command,
    };
  }

  private toolFor(line?: ShellLine): PiTool {
    const { pi, cwd } = this.options;
    const options = {
      spawnHook: <T extends { command: string; env: NodeJS.ProcessEnv }>(context: T): T => ({
        ...context,
        ...(line && { command: line.command }),
        env: environmentOf(context.env),
      }),
    };
    const tool =
      this.name === 'powershell'
        ? pi.createPowerShellToolDefinition(cwd, options)
        : pi.createBashToolDefinition(cwd, { ...options, shellPath: line?.shell });
    return tool as unknown as PiTool;
  }
}

/** As Pi's tool says it, last. */
function exitCodeIn(text: string): number | undefined {
  const [, code] = /(?:^|\n)Command exited with code (-?\d+)$/.exec(text) ?? [];
  return code === undefined ? undefined : Number(code);
}

function cutOf(details: unknown): Pick<CommandEnd, 'isCut' | 'fullOutput'> {
  const { truncation, fullOutputPath } = asObject(details);
  return { isCut: isJsonObject(truncation), fullOutput: asString(fullOutputPath) };
}

function modelCommand(args: unknown): string {
  return isJsonObject(args) && typeof args.command === 'string' ? args.command : '';
}

/** With what keeps commands that read from writing git's index and from starting what a file of options names. */
function environmentOf(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { RIPGREP_CONFIG_PATH: _options, ...kept } = withoutEditorVariables(env);
  return { ...kept, GIT_OPTIONAL_LOCKS: '0' };
}

/** They would make a program that a command starts believe that it runs inside the editor. */
export function withoutEditorVariables(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^(VSCODE_|ELECTRON_)/i.test(name)),
  );
}
