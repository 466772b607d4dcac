import type * as vscode from 'vscode';
import { CancellationError } from '../../base/async/cancellation.js';
import { labelText } from '../../base/text/labelText.js';
import { expandTemplate, templateVariables } from '../../mcp/catalog/uriTemplate.js';
import type { McpServer, McpService } from '../../mcp/mcpApi.js';
import type { McpPrompt, McpResource, McpResourceTemplate } from '../../mcp/mcpTypes.js';
import { resourceKey } from '../../presentation/tree/below/catalogPresentation.js';
import { askForArguments } from './argumentPrompter.js';
import { listHeading, type PickItem, pickOne } from './picks/picks.js';

/** A resource with an address, whether listed or made from a template. */
export interface ChosenResource {
  readonly server: McpServer;
  readonly uri: string;
  readonly label: string;
  readonly mimeType: string | undefined;
}

export interface ChosenPrompt {
  readonly server: McpServer;
  readonly prompt: McpPrompt;
}

/** @throws {HumanError} when no server offers any; a cancellation when the user leaves. */
export async function pickResource(service: McpService, title: string): Promise<ChosenResource> {
  const { server, item } = await pickOffered(
    service,
    title,
    ({ catalog }) => [...catalog.value.resources, ...catalog.value.resourceTemplates],
    resourceKey,
  );
  return chooseResource(server, item);
}

/** Asks for the arguments of a template. @throws a cancellation when the user leaves. */
export async function chooseResource(
  server: McpServer,
  resource: McpResource | McpResourceTemplate,
): Promise<ChosenResource> {
  const { mimeType } = resource;
  const label = resource.title ?? resource.name;
  if ('uri' in resource) {
    return { server, uri: resource.uri, label, mimeType };
  }
  const { uriTemplate } = resource;
  const values = await askForArguments({
    server,
    title: label,
    reference: { kind: 'resource', uriTemplate },
    questions: templateVariables(uriTemplate).map((name) => ({ name, required: true })),
  });
  if (!values) {
    throw new CancellationError();
  }
  const uri = expandTemplate(uriTemplate, values);
  return { server, uri, label: uri, mimeType };
}

/** @throws {HumanError} when no server offers any; a cancellation when the user leaves. */
export async function pickPrompt(service: McpService, title: string): Promise<ChosenPrompt> {
  const { server, item } = await pickOffered(
    service,
    title,
    ({ catalog }) => catalog.value.prompts,
    ({ description }) => description,
  );
  return { server, prompt: item };
}

/** `undefined`: the user left. */
export function askForPromptArguments(
  server: McpServer,
  prompt: McpPrompt,
  given: Readonly<Record<string, string>> = {},
): Promise<Readonly<Record<string, string>> | undefined> {
  return askForArguments({
    server,
    title: prompt.title ?? prompt.name,
    reference: { kind: 'prompt', name: prompt.name },
    questions: prompt.arguments,
    given,
  });
}

function pickOffered<T extends { readonly name: string; readonly title?: string }>(
  service: McpService,
  title: string,
  list: (server: McpServer) => readonly T[],
  detail: (item: T) => vscode.QuickPickItem['description'],
): Promise<{ readonly server: McpServer; readonly item: T }> {
  const items = service.pools.flatMap(({ servers }) =>
    servers.flatMap((server): PickItem<{ server: McpServer; item: T }>[] => {
      const offered = list(server);
      const { name } = server.definition;
      return offered.length === 0
        ? []
        : [
            listHeading(labelText(name)),
            ...offered.map((item) => ({
              label: labelText(item.title ?? item.name),
              description: labelText(detail(item) ?? ''),
              value: { server, item },
            })),
          ];
    }),
  );
  return pickOne(items, { title });
}
