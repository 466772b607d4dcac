/** What the page asks for what goes with a message. It names rows that it was given, never a path of its own. */
import * as vscode from 'vscode';
import type { AgentPanel } from '../../agent/panel/agentPanel.js';
import { attachmentOf } from '../../agent/panel/attachments/attachedFiles.js';
import { type Attachment, labelOf } from '../../agent/panel/attachments/attachment.js';
import type { AttachedLists, Attachments } from '../../agent/panel/attachments/attachments.js';
import type { MessageAttachments } from '../../agent/panel/attachments/editedAttachments.js';
import type { PanelInputs } from '../../agent/panel/inputs.js';
import { isCallable } from '../../agent/tools/offeredServers.js';
import { isCancellationError } from '../../base/async/cancellation.js';
import { HumanError, messageWithRemedy } from '../../base/errors.js';
import { imageTypes } from '../../base/pictures/imageHeader.js';
import { fuzzyText } from '../../base/text/fuzzy.js';
import { showHidden } from '../../base/text/showHidden.js';
import type { McpServer, McpService } from '../../mcp/mcpApi.js';
import { maxRows, rank } from '../../presentation/mentions/ranking.js';
import { toolMentions } from '../../presentation/mentions/toolMentions.js';
import {
  filesParam,
  oneOfParam,
  optionalIndexParam,
  optionalStringParam,
  stringParam,
  stringsParam,
} from '../../presentation/params.js';
import type { AttachmentRequests, AttachOutcome, MentionView } from '../../protocol/attachments.js';
import type { MessageHandlers } from '../../protocol/messages.js';
import { chooseAttachment } from '../commands/offerCommands.js';
import type { TextDocuments } from '../documents/textDocuments.js';
import { editorMentions } from './editorMentions.js';
import type { FileIndex } from './fileIndex.js';
import { gitMentions } from './gitMentions.js';
import { type Mention, mention } from './mention.js';
import { chooseMention, droppedAttachment, pathMentions } from './pathMentions.js';
import { symbolMentions } from './symbolMentions.js';
import type { TerminalMentions } from './terminalMentions.js';

/** Characters of what was typed after `@`. */
const maxQuery = 200;
const maxUris = 20;
/** Characters. */
const maxKey = 300;
/** Characters. */
const maxPasted = 1_000_000;

/** Shared by all panels. */
export interface MentionSources {
  readonly index: FileIndex;
  readonly terminals: TerminalMentions;
  readonly lists: AttachedLists;
}

export interface AttachingParts {
  readonly service: McpService;
  readonly panel: AgentPanel;
  readonly inputs: PanelInputs;
  readonly attached: MessageAttachments;
  /** Call before a question of VS Code. @returns what brings the user back to the page */
  readonly holdFocus: () => () => Promise<void>;
  readonly documents: TextDocuments;
  readonly sources: MentionSources;
}

export class Attaching {
  private readonly index: FileIndex;
  private readonly terminals: TerminalMentions;
  /** Rows that the page has. */
  private rows = new Map</* row id */ string, Mention>();
  private lists = 0;

  constructor(private readonly parts: AttachingParts) {
    this.index = parts.sources.index;
    this.terminals = parts.sources.terminals;
  }

  get handlers(): MessageHandlers<AttachmentRequests> {
    return {
      mentions: async (params) => ({
        rows: await this.search(stringParam(params, 'query').slice(0, maxQuery)),
      }),
      mention: (params) => this.pick(stringParam(params, 'id'), this.listOf(params)),
      attachFiles: (params) =>
        this.attachEach(
          filesParam(params, 'files'),
          async ({ name, data }) => attachmentOf(name, Buffer.from(data, 'base64')),
          this.listOf(params),
        ),
      chooseFiles: (params) => this.take(() => chooseMention().attach(), this.listOf(params)),
      attachUris: (params) =>
        this.attachEach(
          stringsParam(params, 'uris').slice(0, maxUris),
          (uri) => droppedAttachment(uri, this.index, this.servers()),
          this.listOf(params),
        ),
      attachText: (params) =>
        this.attachEach(
          [stringParam(params, 'text').slice(0, maxPasted)],
          async (text) => pastedText(text),
          this.listOf(params),
        ),
      detach: (params) => this.listOf(params).remove(stringParam(params, 'id')),
      openAttachment: (params) => this.open(this.listOf(params).get(stringParam(params, 'id'))),
      takeText: (params) => {
        const id = stringParam(params, 'id');
        const list = this.listOf(params);
        const what = list.get(id);
        if (what.kind !== 'text') {
          throw new Error('Invalid message: a text was expected');
        }
        list.remove(id);
        return { text: what.text };
      },
      picture: (params) => ({ src: this.picture(params) }),
    };
  }

  private async search(query: string): Promise<readonly MentionView[]> {
    const list = ++this.lists;
    const special = [
      ...editorMentions(),
      ...gitMentions(),
      ...this.terminals.mentions(),
      chooseMention(),
      ...this.resourceChoice(),
    ];
    const [paths, symbols] = await Promise.all([
      pathMentions(this.index, query),
      symbolMentions(query),
    ]);
    const served = [...this.tools(query), ...this.resources()];
    const found =
      query === ''
        ? [...firstRows(special, paths), ...served].slice(0, maxRows)
        : rank(query, [...special, ...symbols, ...paths, ...served]);
    const rows = found.map((row, at) => [`${list}/${at}`, row] as const);
    if (list === this.lists) {
      this.rows = new Map(rows);
    }
    return rows.map(([id, { kind, label, detail, word }]) => ({
      id,
      kind,
      label: showHidden(label),
      detail: showHidden(detail).slice(0, maxQuery),
      word: showHidden(word),
    }));
  }

  private async pick(id: string, list: Attachments): Promise<AttachOutcome> {
    const row = this.rows.get(id);
    return await this.take(async () => (row ? await row.attach() : goneRow()), list);
  }

  /** What the user may be asked for. */
  private async take(
    pick: () => Promise<readonly Attachment[]>,
    list: Attachments,
  ): Promise<AttachOutcome> {
    const goBack = this.parts.holdFocus();
    try {
      return await this.attachEach(await pick(), async (one) => one, list);
    } catch (error) {
      return { refused: isCancellationError(error) ? [] : [messageWithRemedy(error)] };
    } finally {
      await goBack();
    }
  }

  /** Of the next message, or of one that the user changes. */
  private listOf(params: unknown): Attachments {
    const { next, edited } = this.parts.attached;
    const key = optionalStringParam(params, 'into');
    return key === undefined ? next : edited.of(key.slice(0, maxKey));
  }

  /** What cannot be attached keeps nothing else from it. */
  private async attachEach<T>(
    items: readonly T[],
    attachmentOfItem: (item: T) => Promise<Attachment>,
    list: Attachments = this.parts.attached.next,
  ): Promise<AttachOutcome> {
    const refused: string[] = [];
    for (const item of items) {
      try {
        await this.add(await attachmentOfItem(item), list);
      } catch (error) {
        refused.push(messageWithRemedy(error));
      }
    }
    return { refused: [...new Set(refused)] };
  }

  private async add(what: Attachment, list: Attachments): Promise<void> {
    const { inputs, attached } = this.parts;
    const held = what.kind === 'file' ? await attached.readFile(what) : what;
    if (held.kind === 'image') {
      inputs.assertSeesImages();
      await list.add(held);
    } else {
      await list.add(what, held);
    }
  }

  /** Those that the shown conversation may use. */
  private servers(): readonly McpServer[] {
    return this.parts.service.serversFor(this.parts.panel.folder || undefined);
  }

  private resources(): readonly Mention[] {
    return this.servers().flatMap(({ id: server, definition, catalog }) => {
      const { resources, skills = [] } = catalog.value;
      const ofSkills = new Set(skills.map(({ uri }) => uri));
      const others = resources.filter(({ uri }) => !ofSkills.has(uri));
      return [...others, ...skills].map((one): Mention => {
        const { uri, name } = one;
        const label = ('title' in one && one.title) || name;
        return {
          kind: 'resource',
          label,
          detail: `${definition.name}: ${uri}`,
          word: label.replaceAll(/\s+/g, ''),
          search: fuzzyText(`${definition.name}:${label}`),
          attach: async () => [{ kind: 'resource', server, uri, label }],
        };
      });
    });
  }

  private tools(query: string): readonly Mention[] {
    const servers = this.servers().filter(isCallable);
    return toolMentions(servers, query).map(({ label, detail, words, word, text }) => {
      const attach = async () =>
        [{ kind: 'text', what: 'tools', name: label, text: text() }] as const;
      return mention({ kind: 'tools', label, detail, word, attach }, words);
    });
  }

  /** Of templates the user is asked for their arguments. */
  private resourceChoice(): readonly Mention[] {
    const servers = this.servers().filter(({ catalog }) => {
      const { resources, resourceTemplates } = catalog.value;
      return resources.length + resourceTemplates.length > 0;
    });
    const one = {
      kind: 'choose',
      label: vscode.l10n.t('Choose Resource…'),
      detail: servers.map(({ definition }) => definition.name).join(', '),
      word: '',
      attach: async () => [await chooseAttachment(this.parts.service)],
    } as const;
    return servers.length > 0 ? [mention(one, 'resource')] : [];
  }

  private async open(what: Attachment): Promise<void> {
    const { documents, inputs } = this.parts;
    if (what.kind === 'image') {
      throw new HumanError('attachment_type', vscode.l10n.t('An image is shown here alone.'));
    }
    if (what.kind === 'file') {
      const folder = vscode.workspace.workspaceFolders?.find(
        ({ uri }) => uri.toString() === what.folder,
      );
      const uri = folder ? vscode.Uri.joinPath(folder.uri, what.path) : vscode.Uri.file(what.path);
      await vscode.window.showTextDocument(uri, { preview: true });
      return;
    }
    const text = what.kind === 'text' ? what.text : await inputs.textOf(what);
    await documents.show(labelOf(what), text, 'txt');
  }

  /** @throws {HumanError} when the message is not there */
  private picturesOf(of: 'queue' | 'message', id: string) {
    const { queue, messages } = this.parts.panel;
    return of === 'queue' ? (queue?.imagesOf(id) ?? []) : messages.imagesOf(id);
  }

  private picture(params: unknown): string {
    const of = oneOfParam(params, 'of', ['draft', 'queue', 'message']);
    const id = stringParam(params, 'id');
    const index = optionalIndexParam(params, 'index') ?? 0;
    const found = of === 'draft' ? this.listOf(params).get(id) : this.picturesOf(of, id)[index];
    const type = found && 'mimeType' in found ? found.mimeType : '';
    if (!found || !('data' in found) || !imageTypes.some((one) => one === type)) {
      throw new HumanError('attachment_gone', vscode.l10n.t('This is not there any more.'));
    }
    return `data:${type};base64,${found.data}`;
  }
}

/** Before anything is typed: what the user looks at, then what they looked at last. */
function firstRows(special: readonly Mention[], paths: readonly Mention[]): readonly Mention[] {
  const [selection, others] = [
    special.filter(({ kind }) => kind === 'selection'),
    special.filter(({ kind }) => kind !== 'selection'),
  ];
  return [...selection, ...paths, ...others];
}

/** The page names what it was not offered, or what was offered before. */
function goneRow(): never {
  throw new HumanError('mention_gone', vscode.l10n.t('This is not there any more.'));
}

function pastedText(text: string): Attachment {
  const lines = text.split('\n').length;
  const name =
    lines === 1
      ? vscode.l10n.t('Pasted text, {0} characters', text.length)
      : vscode.l10n.t('Pasted text, {0} lines', lines);
  return { kind: 'text', what: 'pasted', name, text };
}
