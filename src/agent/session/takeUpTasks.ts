/** Goes on with the tasks that an earlier window left to their servers. */
import * as l10n from '@vscode/l10n';
import { type Disposable, DisposableStore } from '../../base/disposable.js';
import { errorMessage } from '../../base/errors.js';
import { nameToken } from '../../base/text/nameToken.js';
import { hashOf } from '../../config/launch/launchHash.js';
import type { Machine } from '../../config/ports.js';
import type { McpServer, McpService } from '../../mcp/mcpApi.js';
import type { PiSessionEntry } from '../pi/piModule.js';
import type { BackgroundTasks } from '../tools/backgroundTasks.js';
import { textResult } from '../tools/bridgedTool.js';
import type { ToolBridge } from '../tools/toolBridge.js';
import type { TranscriptInput } from '../transcript/transcript.js';
import { type OpenTask, openTasks } from './stored/openTasks.js';

export interface TakeUpOptions {
  readonly service: McpService;
  readonly folderUri: string | undefined;
  readonly bridge: Pick<ToolBridge, 'caller'>;
  readonly tasks: Pick<BackgroundTasks, 'reserve' | 'takeUp'>;
  readonly show: (input: TranscriptInput) => void;
  readonly machine: Machine;
}

/**
 * Servers may be known later than the conversation. What cannot be taken up says so in its card.
 * @param entries of the conversation, oldest first
 */
export function takeUpTasks(
  options: TakeUpOptions,
  entries: readonly PiSessionEntry[],
): Disposable {
  const store = new DisposableStore();
  const waiting = new Set(openTasks(entries));
  const { service, folderUri, show, machine, tasks } = options;
  tasks.reserve([...waiting].map(({ ref }) => ref));
  const lose = (task: OpenTask, text: string) => {
    waiting.delete(task);
    const result = textResult(text);
    show({ type: 'tool_task_end', toolCallId: task.callId, status: 'failed', result });
  };
  const look = () => {
    const servers = service.serversFor(folderUri);
    for (const task of waiting) {
      const server = servers.find(({ id }) => id === task.ref.serverId);
      if (server && hashOf(server.definition) !== task.ref.launch) {
        lose(
          task,
          l10n.t('This MCP server is another one by now: {0}', nameToken(task.ref.server)),
        );
      } else if (server) {
        waiting.delete(task);
        takeUp(options, server, task, () => !store.isDisposed).catch((error: unknown) =>
          machine.loggers.main.log('error', errorMessage(error)),
        );
      }
    }
  };
  const giveUp = () => {
    look();
    for (const task of waiting) {
      lose(task, l10n.t('This MCP server is not there any more: {0}', nameToken(task.ref.server)));
    }
  };
  if (waiting.size > 0) {
    look();
    store.add(service.onDidChangePools(look));
    service
      .whenStarted()
      .then(() => store.isDisposed || giveUp())
      .catch((error: unknown) => machine.loggers.main.log('error', errorMessage(error)));
  }
  return store;
}

async function takeUp(
  { tasks, bridge }: TakeUpOptions,
  server: McpServer,
  task: OpenTask,
  isWanted: () => boolean,
): Promise<void> {
  const { callId, ref, args } = task;
  const run = await server.tasks.resume({ taskId: ref.taskId, status: 'working' }, ref.tool);
  if (!isWanted()) {
    return;
  }
  const outcome = bridge.caller.finish({ id: callId, args }, ref, server, run.result);
  tasks.takeUp(callId, ref, run, outcome);
}
