/** What goes into a message beside its text: resources of servers, and prompts of servers as slash commands. */
import * as l10n from '@vscode/l10n';
import { DisposableOwner } from '../../base/disposable.js';
import { HumanError } from '../../base/errors.js';
import { Emitter } from '../../base/event.js';
import { nameToken } from '../../base/text/nameToken.js';
import { showHidden } from '../../base/text/showHidden.js';
import type { McpServerId } from '../../config/definition.js';
import { serverUnknown } from '../../config/errors.js';
import { iconOf } from '../../mcp/catalog/icons.js';
import { findSkillFile, skillAddresses } from '../../mcp/catalog/own/skillTool.js';
import type { McpServer, McpService } from '../../mcp/mcpApi.js';
import type { McpPrompt } from '../../mcp/mcpTypes.js';
import type { AgentInputs, OwnedIconView, SlashCommandView } from '../../protocol/agentProtocol.js';
import type { AttachmentView } from '../../protocol/attachments.js';
import type { NewMessage } from '../queue/messageQueue.js';
import type { ComposedPrompt } from '../queue/queue.js';
import {
  type AttachedChange,
  attachmentPart,
  changeAttached,
  composePrompt,
  type PromptPart,
  promptParts,
  resourceParts,
  skillContents,
  skillParts,
} from '../session/composePrompt.js';
import { isOffered } from '../tools/offeredServers.js';
import type { AgentPanel } from './agentPanel.js';
import {
  type AttachedResource,
  type Attachment,
  attachmentKind,
  detailOf,
  headOf,
  type KeptAttachment,
  labelOf,
} from './attachments/attachment.js';
import type { MessageAttachments } from './attachments/editedAttachments.js';
import { choiceQuestionView, formQuestionView, type UserQuestions } from './questionCards.js';
import { parseSlashCommand } from './slashCommand.js';

export interface PanelInputsOptions extends UserQuestions {
  readonly service: McpService;
  readonly panel: Pick<AgentPanel, 'folder' | 'snapshot'>;
  readonly attached: MessageAttachments;
  /** What a message may begin with beside prompts of servers. Default: nothing. */
  readonly commands?: () => readonly SlashCommandView[];
  /** Asks the user for what is missing. `undefined`: the user left. */
  readonly askForArguments: (
    server: McpServer,
    prompt: McpPrompt,
    given: Readonly<Record<string, string>>,
  ) => Promise<Readonly<Record<string, string>> | undefined>;
}

export class PanelInputs extends DisposableOwner {
  private readonly changeEmitter = this.store.add(new Emitter<void>());

  readonly onDidChange = this.changeEmitter.event;

  constructor(private readonly options: PanelInputsOptions) {
    super();
    const { service, questions, choices, forms, attached } = options;
    for (const { onDidChange } of [attached.next, attached.edited, questions, choices, forms]) {
      this.store.add(onDidChange(() => this.changeEmitter.fire()));
    }
    this.store.add(service.onDidChangePools(() => this.changeEmitter.fire()));
    this.store.add(service.onDidChangeServer(() => this.changeEmitter.fire()));
  }

  /** What the page shows. */
  get view(): AgentInputs {
    return {
      commands: [
        ...(this.options.commands?.() ?? []),
        ...this.commands().map(({ name, prompt }) => ({
          command: name,
          description: prompt.description ?? prompt.title ?? '',
          arguments: prompt.arguments.map((one) => (one.required ? one.name : `${one.name}?`)),
        })),
        ...this.skills().map(({ name, skill }) => ({
          command: name,
          description: skill.description,
          arguments: [],
        })),
      ],
      attachments: this.options.attached.next.list.map((one) => this.viewOf(one)),
      edited: this.options.attached.edited.all.map(({ key, list }) => ({
        key,
        attachments: list.map((one) => this.viewOf(one)),
      })),
      ...this.serverQuestions(),
    };
  }

  /** Prompts and skills of servers, such as `/server:prompt` and `/skill:server:name`. */
  get promptCommands(): readonly string[] {
    return [...this.commands(), ...this.skills()].map(({ name }) => name);
  }

  get icons(): readonly OwnedIconView[] {
    return panelIcons(this.servers);
  }

  /**
   * What to send for a text that the user typed.
   * @returns `undefined` when the user left a question about a slash command.
   * @throws {HumanError} when a server does not give what is asked of it, or a file cannot be sent.
   */
  async compose(text: string): Promise<NewMessage | undefined> {
    const { list } = this.options.attached.next;
    const isEmpty = text.trim() === '' && list.length === 0;
    const body = isEmpty ? undefined : await this.composeWords(text);
    if (!body) {
      return undefined;
    }
    const added = await this.composeAttached(list);
    return { words: text, body, ...changeAttached(composePrompt([]), { removed: [], added }) };
  }

  /**
   * What becomes of what goes with a message that the user changes.
   * @param removed indices of what is shown of it
   * @throws {HumanError} when something cannot be sent
   */
  async composeChange(key: string, removed: readonly number[]): Promise<AttachedChange> {
    return {
      removed,
      added: await this.composeAttached(this.options.attached.edited.of(key).list),
    };
  }

  /** The message was sent, or is not changed any more. */
  endChange(key: string): void {
    this.options.attached.edited.forget(key);
  }

  private async composeAttached(list: readonly KeptAttachment[]): Promise<ComposedPrompt> {
    const parts = await Promise.all(list.map(({ what }) => this.partsOf(what)));
    const attached = composePrompt(parts.flat());
    if (attached.images.length > 0) {
      this.assertSeesImages();
    }
    return attached;
  }

  /** @throws {HumanError} while the model of the conversation cannot see */
  assertSeesImages(): void {
    const { model } = this.options.panel.snapshot().state;
    if (model?.takesImages === false) {
      throw new HumanError(
        'model_is_blind',
        l10n.t('This model cannot see images: {0}', nameToken(model.label)),
        {
          remedy: l10n.t('Choose another model, or remove the images.'),
        },
      );
    }
  }

  /** What would be sent of one. */
  async textOf(what: Attachment): Promise<string> {
    return composePrompt(await this.partsOf(what)).text;
  }

  /**
   * What a text of the user becomes, without what is attached.
   * @returns `undefined` when the user left a question about a slash command.
   * @throws {HumanError} when a server does not give what is asked of it.
   */
  async composeWords(text: string): Promise<ComposedPrompt | undefined> {
    const skill = parseSlashCommand(text, this.skills());
    if (skill) {
      return composePrompt(await this.loadSkill(skill.command, text));
    }
    const command = parseSlashCommand(text, this.commands());
    const parts = command ? await this.runPrompt(command) : [{ kind: 'text', text } as const];
    return parts && composePrompt(parts);
  }

  /** Whether the shown conversation may use the server, so that it shows its questions. */
  isAbout(server: McpServerId): boolean {
    return this.servers.some(({ id }) => id === server);
  }

  /** Of the shown conversation. */
  private get servers(): readonly McpServer[] {
    const { service, panel } = this.options;
    return service.serversFor(panel.folder || undefined);
  }

  private serverQuestions(): Pick<AgentInputs, 'questions' | 'choices' | 'forms'> {
    const { questions, choices, forms } = this.options;
    const isShown = ({ server }: { readonly server: McpServerId }) => this.isAbout(server);
    return {
      questions: questions.all
        .filter(isShown)
        .map(({ id, serverName, text }) => ({ id, server: serverName, text })),
      choices: choices.all.filter(isShown).map(choiceQuestionView),
      forms: forms.all.filter(isShown).map((form) => formQuestionView(form, forms)),
    };
  }

  private commands() {
    return this.servers.filter(isOffered).flatMap((server) =>
      server.catalog.value.prompts.map((prompt) => ({
        name: `/${server.definition.name}:${prompt.name}`,
        server,
        prompt,
      })),
    );
  }

  private skills() {
    return this.servers.filter(isOffered).flatMap((server) =>
      (server.catalog.value.skills ?? []).map((skill) => ({
        name: `/skill:${server.definition.name}:${skill.name}`,
        server,
        skill,
        prompt: { arguments: [] },
      })),
    );
  }

  private async loadSkill(
    { name, server, skill }: ReturnType<PanelInputs['skills']>[number],
    text: string,
  ) {
    const loaded = await server.loadSkill(skill.name);
    return skillParts(loaded, server.definition.name, text.slice(name.length).trim());
  }

  private async runPrompt({
    command: { server, prompt },
    args,
  }: NonNullable<
    ReturnType<typeof parseSlashCommand<ReturnType<PanelInputs['commands']>[number]>>
  >) {
    const isMissing = prompt.arguments.some((one) => one.required && args[one.name] === undefined);
    const isBare = prompt.arguments.length > 0 && Object.keys(args).length === 0;
    const all =
      isMissing || isBare ? await this.options.askForArguments(server, prompt, args) : args;
    return all && promptParts(await server.getPrompt(prompt.name, all), server.definition.name);
  }

  private viewOf({ id, what, tokens }: KeptAttachment): AttachmentView {
    const detail = what.kind === 'resource' ? this.resourceDetail(what) : detailOf(what);
    return {
      id,
      kind: attachmentKind(what),
      label: showHidden(labelOf(what)),
      detail: showHidden(detail),
      tokens,
    };
  }

  private resourceDetail({ server, label }: AttachedResource): string {
    return `${this.options.service.getServer(server)?.definition.name ?? ''}: ${label}`;
  }

  private async partsOf(what: Attachment): Promise<readonly PromptPart[]> {
    switch (what.kind) {
      case 'resource':
        return await this.readResource(what);
      case 'file':
        return await this.partsOf(await this.options.attached.readFile(what));
      case 'text':
        return [attachmentPart(headOf(what), what.text)];
      case 'image': {
        const { data, mimeType } = what;
        return [{ kind: 'image', image: { type: 'image', data, mimeType } }];
      }
    }
  }

  private async readResource({ server: id, uri }: AttachedResource) {
    const server = this.options.service.getServer(id);
    if (!server) {
      throw serverUnknown(undefined, l10n.t('Remove it from the message, or attach it again.'));
    }
    const { name } = server.definition;
    const { value } = server.catalog;
    if (!skillAddresses(value)(uri)) {
      return resourceParts(await server.readResource(uri), name);
    }
    const { skill = uri, path } = findSkillFile(value, uri) ?? {};
    return resourceParts([skillContents(await server.loadSkill(skill, path))], name);
  }
}

/** Icons of servers and tools that a folder's conversation may name. */
function panelIcons(servers: readonly McpServer[]): readonly OwnedIconView[] {
  return servers.flatMap(({ definition: { name: server }, catalog }) => {
    const { serverInfo, tools } = catalog.value;
    const own = iconOf(serverInfo);
    return [
      ...(own ? [{ server, ...own }] : []),
      ...tools.flatMap((tool) => {
        const icon = iconOf(tool);
        return icon ? [{ server, tool: tool.name, ...icon }] : [];
      }),
    ];
  });
}
