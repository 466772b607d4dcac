import * as vscode from 'vscode';
import { errorMessage } from '../../base/errors.js';
import { labelText } from '../../base/text/labelText.js';
import { commandIds } from '../../contributions.js';
import { readWholeResult } from '../../mcp/catalog/results/wholeResult.js';
import type { McpServer, McpService } from '../../mcp/mcpApi.js';
import { taskProgress, taskWord } from '../../mcp/tasks/taskText.js';
import { hasEnded, type McpTask, type McpTaskRun } from '../../mcp/taskTypes.js';
import { duration } from '../../presentation/consent/runningServersText.js';
import type { CommandHandlers } from '../commandHandlers.js';
import type { ResultDocuments } from '../documents/resultDocuments.js';
import { type LiveAction, liveAction, showLivePicker } from '../prompts/picks/livePicker.js';
import { pickItemsByPool } from '../prompts/picks/picks.js';
import type { ReportError } from '../reportError.js';

export interface TaskCommandParts {
  readonly service: McpService;
  readonly results: Pick<ResultDocuments, 'open'>;
  readonly reportError: ReportError;
}

/** `other`: a task that the server keeps and nobody here follows. */
type Task =
  | { readonly kind: 'followed'; readonly server: McpServer; readonly run: McpTaskRun }
  | { readonly kind: 'other'; readonly server: McpServer; readonly task: McpTask };

/** How long tasks have been running changes without an event. */
const refreshMs = 1000;

export function taskCommands(parts: TaskCommandParts): CommandHandlers {
  const { service, reportError } = parts;
  return {
    [commandIds.showTasks]: async () => {
      const others = await listOthers(service);
      await showLivePicker<Task>({
        service,
        title: vscode.l10n.t('Tasks of MCP Servers'),
        refreshMs,
        read: async () => itemsOf(parts, [...followed(service), ...others.filter(isStillOther)]),
        isSame,
        reportError,
      });
    },
  };
}

function itemsOf(parts: TaskCommandParts, tasks: readonly Task[]) {
  return pickItemsByPool(parts.service, (pool) =>
    tasks
      .filter(({ server }) => server.definition.poolId === pool.id)
      .map((task) => ({
        label: `$(${iconOf(task)}) ${labelText(labelOf(task))}`,
        description: labelText(task.server.definition.name),
        detail: labelText(detailOf(task)),
        buttons: actionsFor(parts, task),
        value: task,
      })),
  );
}

function actionsFor(parts: TaskCommandParts, task: Task): readonly LiveAction<Task>[] {
  if (task.kind === 'other') {
    return [
      liveAction('debug-continue', vscode.l10n.t('Follow Task'), async () =>
        task.server.tasks.resume(task.task),
      ),
    ];
  }
  const { run, server } = task;
  return hasEnded(run.state.value)
    ? [
        liveAction('go-to-file', vscode.l10n.t('Open Whole Result'), () =>
          openResult(parts, server, run),
        ),
        liveAction('close', vscode.l10n.t('Remove'), async () => server.tasks.forget(run)),
      ]
    : [liveAction('circle-slash', vscode.l10n.t('Cancel Task'), () => run.cancel())];
}

async function openResult(
  { results }: TaskCommandParts,
  { definition }: McpServer,
  run: McpTaskRun,
): Promise<void> {
  const whole = await run.result.then(readWholeResult, (error: unknown) => ({
    text: errorMessage(error),
    attachments: [],
  }));
  const tool = run.tool ?? run.taskId;
  await results.open({ server: definition.name, tool, ...whole }, undefined);
}

function followed(service: McpService): readonly Task[] {
  return service.servers.flatMap((server) =>
    server.tasks.all.map((run) => ({ kind: 'followed', server, run }) as const),
  );
}

/** Only servers that are connected are asked. A server that does not say has none. */
async function listOthers(service: McpService): Promise<readonly Task[]> {
  const connected = service.servers.filter(({ state }) => state.value.kind === 'connected');
  const lists = await Promise.all(
    connected.map(async (server) => {
      const tasks = await server.tasks.listOthers().catch(() => []);
      return tasks.map((task) => ({ kind: 'other', server, task }) as const);
    }),
  );
  return lists.flat();
}

function isStillOther(task: Task): boolean {
  return task.server.tasks.all.every(({ taskId }) => taskId !== idOf(task));
}

function isSame(a: Task, b: Task): boolean {
  return a.server === b.server && idOf(a) === idOf(b);
}

function idOf(task: Task): string {
  return task.kind === 'followed' ? task.run.taskId : task.task.taskId;
}

function labelOf(task: Task): string {
  return (task.kind === 'followed' ? task.run.tool : undefined) ?? idOf(task);
}

function detailOf(task: Task): string {
  if (task.kind === 'other') {
    const { status, message } = task.task;
    const facts = [taskWord(status), message, vscode.l10n.t('started elsewhere')];
    return facts.filter(Boolean).join(' · ');
  }
  const { run } = task;
  const state = run.state.value;
  const word = hasEnded(state) ? [taskWord(state.status), state.message] : [taskProgress(state)];
  const age = vscode.l10n.t('started {0} ago', duration(Date.now() - run.startedAt));
  return [...word, age].filter(Boolean).join(' · ');
}

function iconOf(task: Task): string {
  const { status } = task.kind === 'followed' ? task.run.state.value : task.task;
  switch (status) {
    case 'working':
      return 'sync';
    case 'input_required':
      return 'question';
    case 'completed':
      return 'pass';
    case 'failed':
      return 'error';
    case 'cancelled':
      return 'circle-slash';
  }
}
