import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.js';
import { errorMessage, HumanError } from '../../base/errors.js';
import { commandIds } from '../../contributions.js';
import { readWholeResult } from '../../mcp/catalog/results/wholeResult.js';
import type { McpServer, McpService } from '../../mcp/mcpApi.js';
import { taskProgress, taskWord } from '../../mcp/tasks/taskText.js';
import { hasEnded, type McpTask, type McpTaskRun } from '../../mcp/taskTypes.js';
import { duration } from '../../presentation/consent/runningServersText.js';
import { poolLabel } from '../../presentation/tree/presentation.js';
import type { ResultDocuments } from '../documents/resultDocuments.js';
import type { CommandHandlers } from '../registerCommand.js';
import type { ReportError } from '../reportError.js';

export interface TaskCommandParts {
  readonly service: McpService;
  readonly results: Pick<ResultDocuments, 'open'>;
  readonly reportError: ReportError;
}

interface Item extends vscode.QuickPickItem {
  readonly task?: Task;
}

/** `other`: a task that the server keeps and nobody here follows. */
type Task =
  | { readonly kind: 'followed'; readonly server: McpServer; readonly run: McpTaskRun }
  | { readonly kind: 'other'; readonly server: McpServer; readonly task: McpTask };

interface Action extends vscode.QuickInputButton {
  readonly tooltip: string;
  readonly run: (task: Task) => Promise<unknown>;
}

/** How long tasks have been running changes without an event. */
const refreshMs = 1000;

export function taskCommands(parts: TaskCommandParts): CommandHandlers {
  return {
    [commandIds.showTasks]: async () => {
      const others = await listOthers(parts.service);
      if (others.length === 0 && followed(parts.service).length === 0) {
        throw new HumanError('no_tasks', vscode.l10n.t('No tool runs as a task.'));
      }
      new TaskPicker(parts, others).show();
    },
  };
}

class TaskPicker implements Disposable {
  private readonly store = new DisposableStore();
  private readonly picker = this.store.add(vscode.window.createQuickPick<Item>());

  constructor(
    private readonly parts: TaskCommandParts,
    private readonly others: readonly Task[],
  ) {}

  show(): void {
    const { picker, store } = this;
    const { service, reportError } = this.parts;
    picker.title = vscode.l10n.t('Tasks of MCP Servers');
    picker.placeholder = vscode.l10n.t('Pick a task to open its result or to cancel it');
    picker.matchOnDescription = true;
    picker.matchOnDetail = true;
    picker.keepScrollPosition = true;
    this.refresh();
    const timer = setInterval(() => this.refresh(), refreshMs);
    store.add({ dispose: () => clearInterval(timer) });
    store.add(service.onDidChangeServer(() => this.refresh()));
    store.add(
      picker.onDidTriggerItemButton(({ item, button }) => {
        if (item.task) {
          void (button as Action).run(item.task).catch(reportError);
        }
      }),
    );
    store.add(
      picker.onDidAccept(() => {
        const task = picker.selectedItems[0]?.task;
        picker.hide();
        if (task) {
          void this.pickAction(task).catch(reportError);
        }
      }),
    );
    store.add(picker.onDidHide(() => this.dispose()));
    picker.show();
  }

  dispose(): void {
    this.store.dispose();
  }

  /** The buttons again, as a list, for the keyboard; the only one at once. */
  private async pickAction(task: Task): Promise<void> {
    const actions = this.actionsFor(task);
    const [only] = actions;
    if (actions.length === 1 && only) {
      await only.run(task);
      return;
    }
    const items = actions.map((action) => ({ label: action.tooltip, action }));
    const picked = await vscode.window.showQuickPick(items, { title: labelOf(task) });
    await picked?.action.run(task);
  }

  private refresh(): void {
    if (this.store.isDisposed) {
      return;
    }
    const { service } = this.parts;
    const tasks = [...followed(service), ...this.others.filter(isStillOther)];
    const active = this.picker.activeItems[0]?.task;
    const items = service.pools.flatMap((pool): Item[] => {
      const own = tasks.filter(({ server }) => server.definition.poolId === pool.id);
      const heading = { label: poolLabel(pool), kind: vscode.QuickPickItemKind.Separator };
      return own.length === 0 ? [] : [heading, ...own.map((task) => this.itemOf(task))];
    });
    this.picker.items = items;
    this.picker.activeItems = items.filter(({ task }) => task && active && isSame(task, active));
  }

  private itemOf(task: Task): Item {
    return {
      label: `$(${iconOf(task)}) ${labelOf(task)}`,
      description: task.server.definition.name,
      detail: detailOf(task),
      buttons: this.actionsFor(task),
      task,
    };
  }

  private actionsFor(task: Task): readonly Action[] {
    const action = (icon: string, tooltip: string, run: Action['run']): Action => ({
      iconPath: new vscode.ThemeIcon(icon),
      tooltip,
      run,
    });
    if (task.kind === 'other') {
      return [
        action('debug-continue', vscode.l10n.t('Follow Task'), async () => {
          task.server.tasks.resume(task.task);
        }),
      ];
    }
    const { run, server } = task;
    return hasEnded(run.state.value)
      ? [
          action('go-to-file', vscode.l10n.t('Open Result'), () => this.openResult(server, run)),
          action('close', vscode.l10n.t('Remove from List'), async () => server.tasks.forget(run)),
        ]
      : [action('circle-slash', vscode.l10n.t('Cancel Task'), () => run.cancel())];
  }

  private async openResult({ definition }: McpServer, run: McpTaskRun): Promise<void> {
    const whole = await run.result.then(readWholeResult, (error: unknown) => ({
      text: errorMessage(error),
      attachments: [],
    }));
    const tool = run.tool ?? run.taskId;
    await this.parts.results.open({ server: definition.name, tool, ...whole }, undefined);
  }
}

function followed(service: McpService): readonly Task[] {
  return service.pools
    .flatMap((pool) => pool.servers)
    .flatMap((server) =>
      server.tasks.all.map((run) => ({ kind: 'followed', server, run }) as const),
    );
}

/** Only servers that are connected are asked. A server that does not say has none. */
async function listOthers(service: McpService): Promise<readonly Task[]> {
  const connected = service.pools
    .flatMap((pool) => pool.servers)
    .filter(({ state }) => state.value.kind === 'connected');
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
