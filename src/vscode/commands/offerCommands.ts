/** Commands about what servers offer beside tools: resources and prompts. */
import * as vscode from 'vscode';
import type { AttachedResource } from '../../agent/panel/attachments/attachment.js';
import type { Attachments } from '../../agent/panel/attachments/attachments.js';
import { composePrompt, promptParts } from '../../agent/session/composePrompt.js';
import { CancellationError } from '../../base/async/cancellation.js';
import { commandIds, viewIds } from '../../contributions.js';
import type { McpService } from '../../mcp/mcpApi.js';
import { asTreeNode, serverOf } from '../../presentation/tree/targets.js';
import type { CommandHandlers } from '../commandHandlers.js';
import type { ResourceFiles } from '../documents/resourceFiles.js';
import type { TextDocuments } from '../documents/textDocuments.js';
import {
  askForPromptArguments,
  type ChosenPrompt,
  type ChosenResource,
  chooseResource,
  pickPrompt,
  pickResource,
} from '../prompts/resourcePicker.js';

export interface OfferCommandParts {
  readonly service: McpService;
  readonly resources: ResourceFiles;
  readonly documents: TextDocuments;
  /** Of the conversation where the user was last. */
  readonly attachments: () => Promise<Attachments>;
}

export function offerCommands(parts: OfferCommandParts): CommandHandlers {
  const { service, resources, attachments } = parts;
  return {
    [commandIds.openResource]: async (argument) => {
      const { server, uri, mimeType } =
        (await resourceOf(service, argument)) ??
        (await pickResource(service, vscode.l10n.t('Open Resource')));
      await vscode.window.withProgress({ location: { viewId: viewIds.servers } }, () =>
        resources.open(server, uri, mimeType),
      );
    },
    [commandIds.attachResource]: async (argument) => {
      const chosen = await resourceOf(service, argument);
      const list = await attachments();
      await list.add(chosen ? attachmentOf(chosen) : await chooseAttachment(service));
      await vscode.commands.executeCommand(commandIds.focusAgent);
    },
    [commandIds.getPrompt]: async (argument) => {
      const chosen =
        promptOf(service, argument) ?? (await pickPrompt(service, vscode.l10n.t('Get Prompt')));
      await showPrompt(chosen, parts.documents);
    },
  };
}

/** A resource that the user picks. Rejects with a cancellation when they leave. */
export async function chooseAttachment(service: McpService): Promise<AttachedResource> {
  return attachmentOf(await pickResource(service, vscode.l10n.t('Attach to Pi Agent')));
}

function attachmentOf({ server, uri, label }: ChosenResource): AttachedResource {
  return { kind: 'resource', server: server.id, uri, label };
}

async function resourceOf(
  service: McpService,
  argument: unknown,
): Promise<ChosenResource | undefined> {
  const node = asTreeNode(argument);
  const server = serverOf(service, argument);
  if (!server || (node?.kind !== 'resource' && node?.kind !== 'skill')) {
    return undefined;
  }
  return node.kind === 'skill'
    ? { server, uri: node.skill.uri, label: node.skill.name, mimeType: 'text/markdown' }
    : chooseResource(server, node.resource);
}

function promptOf(service: McpService, argument: unknown): ChosenPrompt | undefined {
  const node = asTreeNode(argument);
  const server = serverOf(service, argument);
  return node?.kind === 'prompt' && server ? { server, prompt: node.prompt } : undefined;
}

/** What the server makes of a prompt, as a document to read or copy from. */
async function showPrompt(
  { server, prompt }: ChosenPrompt,
  documents: TextDocuments,
): Promise<void> {
  const args = await askForPromptArguments(server, prompt);
  if (!args) {
    throw new CancellationError();
  }
  const result = await server.getPrompt(prompt.name, args);
  const { text, images } = composePrompt(promptParts(result, server.definition.name));
  const note =
    images.length > 0
      ? `\n\n${vscode.l10n.t('{0}: {1}', vscode.l10n.t('Images'), images.length)}`
      : '';
  await documents.show(prompt.title ?? prompt.name, text + note);
}
