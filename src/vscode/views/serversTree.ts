import { setImmediate } from 'node:timers/promises';
import * as vscode from 'vscode';
import { DisposableOwner } from '../../base/disposable.js';
import { Emitter, onceEvent } from '../../base/event.js';
import { draggedServers, viewIds } from '../../contributions.js';
import type { KeptRow } from '../../presentation/tree/keptRows.js';
import type { TreeNode } from '../../presentation/tree/nodes.js';
import { OpenRows } from '../../presentation/tree/openRows.js';

/** By when VS Code has asked for what it shows of rows that were kept, if it shows any; about 1 s on two slow processors. */
const keptShownMs = 1500;

/** By when VS Code has asked for the rows below the first ones. */
const rowsBelowMs = 500;

type Row = TreeNode | KeptRow;
type Changes = vscode.EventEmitter<Row | Row[] | undefined>;

/** What users do to rows; loaded when they do it. */
export interface RowActions {
  readonly drags: {
    handleDrag(nodes: readonly TreeNode[], data: vscode.DataTransfer): Promise<void>;
    handleDrop(target: TreeNode | undefined, data: vscode.DataTransfer): Promise<void>;
  };
  /** The checkboxes of tools. */
  switchTools(items: readonly (readonly [TreeNode, vscode.TreeItemCheckboxState])[]): Promise<void>;
}

/** The rows of this window. */
export type RowSource = vscode.TreeDataProvider<TreeNode> &
  Required<Pick<vscode.TreeDataProvider<TreeNode>, 'onDidChangeTreeData' | 'resolveTreeItem'>>;

/** The view of the servers: shows what the last window kept until it is given the rows of this one. */
export class ServersTree extends DisposableOwner {
  private readonly changes: Changes = this.store.add(new vscode.EventEmitter());
  private readonly given = this.store.add(new Emitter<RowSource>());
  private readonly answered = this.store.add(new Emitter<void>());
  private source: RowSource | undefined;
  private isAsked = false;
  private isKeptShown = false;
  private readonly openKept = this.store.add(new OpenRows<KeptRow>());
  /** Of the first rows of this window. */
  private readonly openRows = this.store.add(new OpenRows<TreeNode>());
  private isShown = false;
  readonly view: vscode.TreeView<Row>;

  /** @param load leads to {@link show} */
  constructor(
    private readonly kept: readonly KeptRow[],
    private readonly load: () => Promise<unknown>,
    loadActions: () => Promise<RowActions>,
  ) {
    super();
    this.openKept.replace(kept.filter(({ expansion }) => expansion === 'expanded'));
    this.view = this.store.add(
      vscode.window.createTreeView<Row>(viewIds.servers, {
        treeDataProvider: {
          onDidChangeTreeData: this.changes.event,
          getTreeItem: (row) => (isKept(row) ? keptItem(row) : this.known.getTreeItem(row)),
          getChildren: (row) => this.children(row),
          getParent: (row) => (isKept(row) ? undefined : this.known.getParent?.(row)),
          resolveTreeItem: (item, row, token) =>
            isKept(row) ? item : this.known.resolveTreeItem(item, row, token),
        },
        showCollapseAll: true,
        manageCheckboxStateManually: true,
        dragAndDropController: {
          // with the list of addresses, rows that stand for a document can be dragged to where one can be dropped
          dragMimeTypes: ['text/uri-list', draggedServers],
          dropMimeTypes: [draggedServers, 'text/uri-list'],
          handleDrag: async (rows, data) =>
            (await loadActions()).drags.handleDrag(rows.filter(isNode), data),
          handleDrop: async (row, data) =>
            (await loadActions()).drags.handleDrop(row && isNode(row) ? row : undefined, data),
        },
      }),
    );
  }

  /** Call it once, when the rows are known. Rows that were kept are painted first: to replace them earlier shows neither. */
  async show(source: RowSource): Promise<void> {
    if (this.isKeptShown) {
      await this.openKept.whenAnswered(keptShownMs);
    }
    this.source = source;
    this.store.add(source.onDidChangeTreeData((rows) => this.changes.fire(rows ?? undefined)));
    this.given.fire(source);
    if (this.isKeptShown) {
      this.changes.fire(undefined);
    }
  }

  /** Resolves once the rows of this window were handed over, if somebody sees them. Call it before {@link show}. */
  async whenShown(): Promise<void> {
    const answer = onceEvent(this.answered.event);
    await onceEvent(this.given.event);
    if (this.isAsked && this.view.visible) {
      const hidden = onceEvent(this.view.onDidChangeVisibility, ({ visible }) => !visible);
      const below = answer.then(() => this.openRows.whenAnswered(rowsBelowMs));
      await Promise.race([below, hidden]);
    }
    this.isShown = true;
    // the host turns nodes into rows at once, and sends them
    await setImmediate();
  }

  private get known(): RowSource {
    if (!this.source) {
      throw new Error('A row is asked for that no window has shown');
    }
    return this.source;
  }

  private async children(row: Row | undefined): Promise<Row[]> {
    this.isAsked = true;
    if (row && isKept(row)) {
      this.openKept.delete(row);
      return [...row.rows];
    }
    if (!this.source && this.kept.length > 0) {
      this.isKeptShown = true;
      void this.load();
      return [...this.kept];
    }
    const source = await this.whenGiven();
    const rows = (await source.getChildren(row)) ?? [];
    if (row) {
      this.openRows.delete(row);
    } else if (!this.isShown) {
      const items = await Promise.all(rows.map((one) => source.getTreeItem(one)));
      this.openRows.replace(rows.filter((_one, index) => isOpen(items[index])));
      this.answered.fire();
    }
    return rows;
  }

  private async whenGiven(): Promise<RowSource> {
    if (this.source) {
      return this.source;
    }
    const given = onceEvent(this.given.event);
    await this.load();
    return await given;
  }
}

function isOpen(item: vscode.TreeItem | undefined): boolean {
  return item?.collapsibleState === vscode.TreeItemCollapsibleState.Expanded;
}

function isKept(row: Row): row is KeptRow {
  return row.kind === 'kept';
}

export function isNode(row: Row): row is TreeNode {
  return !isKept(row);
}

export function collapsibleState(expansion: KeptRow['expansion']): vscode.TreeItemCollapsibleState {
  switch (expansion) {
    case 'none':
      return vscode.TreeItemCollapsibleState.None;
    case 'collapsed':
      return vscode.TreeItemCollapsibleState.Collapsed;
    case 'expanded':
      return vscode.TreeItemCollapsibleState.Expanded;
  }
}

function keptItem({ id, label, icon, expansion }: KeptRow): vscode.TreeItem {
  const item = new vscode.TreeItem(label, collapsibleState(expansion));
  item.id = id;
  item.iconPath = new vscode.ThemeIcon(icon);
  item.accessibilityInformation = { label: vscode.l10n.t('{0}, not read yet', label) };
  return item;
}
