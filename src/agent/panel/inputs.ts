/** What goes into a message beside its text: resources of servers, and prompts of servers as slash commands. */

import * as l10n from '@vscode/l10n';
import { type Disposable, DisposableStore } from '../../base/disposable.js';
import { HumanError } from '../../base/errors.js';
import { Emitter } from '../../base/event.js';
import type { McpServerId } from '../../config/definition.js';
import { serverUnknown } from '../../config/errors.js';
import { iconOf } from '../../mcp/catalog/icons.js';
import type { McpServer, McpService } from '../../mcp/mcpApi.js';
import type { McpPrompt } from '../../mcp/mcpTypes.js';
import type { OpenQuestions } from '../../mcp/service/openQuestions.js';
import type { AgentInputs, OwnedIconView, SlashCommandView } from '../../protocol/agentProtocol.js';
import type { ComposedPrompt } from '../queue/message.js';
import type { NewMessage } from '../queue/messageQueue.js';
import { composePrompt, promptParts, resourceParts } from '../session/composePrompt.js';
import { isOffered } from '../tools/offeredServers.js';
import { userMessageView } from '../transcript/userMessage.js';
import { parseSlashCommand } from './slashCommand.js';

export interface PanelInputsOptions {
  readonly service: McpService;
  readonly questions: OpenQuestions;
  /** Of the shown conversation. */
  readonly folderUri: () => string | undefined;
  /** What a message may begin with beside prompts of servers. Default: nothing. */
  readonly commands?: () => readonly SlashCommandView[];
  /** Asks the user for what is missing. `undefined`: the user left. */
  readonly askForArguments: (
    server: McpServer,
    prompt: McpPrompt,
    given: Readonly<Record<string, string>>,
  ) => Promise<Readonly<Record<string, string>> | undefined>;
}

export interface AttachedResource {
  readonly server: McpServerId;
  readonly uri: string;
  readonly label: string;
}

const maxAttachments = 20;

export class PanelInputs implements Disposable {
  private readonly store = new DisposableStore();
  private readonly changeEmitter = this.store.add(new Emitter<void>());
  private attached: readonly AttachedResource[] = [];

  readonly onDidChange = this.changeEmitter.event;

  constructor(private readonly options: PanelInputsOptions) {
    const { service, questions } = options;
    this.store.add(questions.onDidChange(() => this.changeEmitter.fire()));
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
      ],
      attachments: this.attached.map((one) => ({
        id: attachmentId(one),
        label: one.label,
        server: this.options.service.getServer(one.server)?.definition.name ?? '',
      })),
      questions: this.openQuestions(),
    };
  }

  /** Prompts of servers, such as `/server:prompt`. */
  get promptCommands(): readonly string[] {
    return this.commands().map(({ name }) => name);
  }

  get icons(): readonly OwnedIconView[] {
    const { service, folderUri } = this.options;
    return panelIcons(service.serversFor(folderUri()));
  }

  /** @throws {HumanError} when there are too many. */
  attach(resource: AttachedResource): void {
    if (this.attached.length >= maxAttachments) {
      throw new HumanError('too_many_attachments', l10n.t('No more resources can be attached.'), {
        remedy: l10n.t('Remove one, or send the message first.'),
      });
    }
    const id = attachmentId(resource);
    this.attached = [...this.attached.filter((one) => attachmentId(one) !== id), resource];
    this.changeEmitter.fire();
  }

  detach(id: string): void {
    this.attached = this.attached.filter((one) => attachmentId(one) !== id);
    this.changeEmitter.fire();
  }

  /**
   * What to send for a text that the user typed. Attachments stay until {@link clear}.
   * @returns `undefined` when the user left a question about a slash command.
   * @throws {HumanError} when a server does not give what is asked of it.
   */
  async compose(text: string): Promise<NewMessage | undefined> {
    const body = await this.composeWords(text);
    if (!body) {
      return undefined;
    }
    const resources = await Promise.all(this.attached.map((one) => this.readAttached(one)));
    const attached = composePrompt(resources.flat());
    const content = [{ type: 'text', text: attached.text }, ...attached.images];
    const { attachments = [] } = userMessageView(content);
    return { words: text, body, attached, attachments };
  }

  /**
   * What a text of the user becomes, without what is attached.
   * @returns `undefined` when the user left a question about a slash command.
   * @throws {HumanError} when a server does not give what is asked of it.
   */
  async composeWords(text: string): Promise<ComposedPrompt | undefined> {
    const command = parseSlashCommand(text, this.commands());
    const parts = command ? await this.runPrompt(command) : [{ kind: 'text', text } as const];
    return parts && composePrompt(parts);
  }

  /** The message was sent. */
  clear(): void {
    if (this.attached.length > 0) {
      this.attached = [];
      this.changeEmitter.fire();
    }
  }

  dispose(): void {
    this.store.dispose();
  }

  /** Of the servers that the shown conversation may use. */
  private openQuestions() {
    const { service, folderUri, questions } = this.options;
    const usable = new Set(service.serversFor(folderUri()).map(({ id }) => id));
    return questions.all
      .filter(({ server }) => usable.has(server))
      .map(({ id, serverName, text }) => ({ id, server: serverName, text }));
  }

  private commands() {
    const { service, folderUri } = this.options;
    const servers = service.serversFor(folderUri()).filter(isOffered);
    return servers.flatMap((server) =>
      server.catalog.value.prompts.map((prompt) => ({
        name: `/${server.definition.name}:${prompt.name}`,
        server,
        prompt,
      })),
    );
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

  private async readAttached({ server: id, uri, label }: AttachedResource) {
    const server = this.options.service.getServer(id);
    if (!server) {
      throw serverUnknown(undefined, l10n.t('Remove "{0}" from the message.', label));
    }
    return resourceParts(await server.readResource(uri), server.definition.name);
  }
}

function attachmentId({ server, uri }: AttachedResource): string {
  return JSON.stringify([server, uri]);
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
