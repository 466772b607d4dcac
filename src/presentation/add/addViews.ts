/** Servers of the registry, and those that somebody has brought, in words. Plain Node; no `vscode`. */
import * as l10n from '@vscode/l10n';
import { sizeText } from '../../agent/changes/checkpoints/sizeText.js';
import { type HumanError, isHumanError } from '../../base/errors.js';
import type { JsonObject } from '../../base/json.js';
import { defined } from '../../base/json.js';
import { counted } from '../../base/text/counted.js';
import { showHidden } from '../../base/text/showHidden.js';
import type { McpServerLaunch } from '../../config/definition.js';
import { type ImportableFile, toOwnEntry } from '../../config/imports/importableServers.js';
import { importLabels } from '../../config/imports/importLabels.js';
import { packageOf } from '../../config/lint/packageSpec.js';
import type { PastedServer } from '../../config/paste/addedServer.js';
import type { PasteForm } from '../../config/paste/pastedServers.js';
import type { OpenedBundle } from '../../mcp/bundles/bundleStore.js';
import { signatureText } from '../../mcp/bundles/manifest.js';
import type { McpPool } from '../../mcp/mcpApi.js';
import { publisherText, serverCautions } from '../../mcp/registry/cautions.js';
import type { InstallField } from '../../mcp/registry/installFields.js';
import type { InstallWay } from '../../mcp/registry/installWay.js';
import type { FoundServers, RegistryServer } from '../../mcp/registry/serverJson.js';
import type {
  AddReading,
  ImportChoice,
  OfferDetails,
  OfferWay,
  RegistryRow,
  RegistryRows,
} from '../../protocol/add/addProtocol.js';
import { formatAge } from '../consent/formatAge.js';

/** @param usedAs under which names a server of the registry is configured. */
export function registryRows(
  { servers, nextCursor }: FoundServers,
  usedAs: (server: RegistryServer) => readonly string[],
): RegistryRows {
  return {
    rows: servers.map((server) => rowOf(server, usedAs(server))),
    cursor: nextCursor,
  };
}

function rowOf(server: RegistryServer, usedAs: readonly string[]): RegistryRow {
  const { name, title, description, version, status, packages, remotes } = server;
  const kinds = [
    ...packages.map(({ registryType }) => registryType),
    ...(remotes.length > 0 ? [l10n.t('remote')] : []),
  ];
  return {
    name,
    title: showHidden(title ?? name.split('/')[1] ?? name),
    description: showHidden(description),
    version: showHidden(version),
    isDeprecated: status === 'deprecated',
    kinds: [...new Set(kinds)].map(showHidden),
    usedAs: usedAs.map(showHidden),
  };
}

/** By what they start or reach, since nobody writes down from where an entry came. */
export function namesUsing(
  { packages, remotes }: RegistryServer,
  pools: readonly Pick<McpPool, 'servers'>[],
): readonly string[] {
  const addresses = new Set(remotes.map(({ url }) => url));
  const names = new Set(packages.map(({ identifier }) => identifier.replace(/[:@][^/]*$/, '')));
  const isSame = (launch: McpServerLaunch) =>
    launch.kind === 'http'
      ? addresses.has(launch.url)
      : names.has(packageOf(launch.command, launch.args)?.name ?? '');
  const found = pools.flatMap(({ servers }) =>
    servers.flatMap(({ definition: { name, launch } }) => (launch && isSame(launch) ? [name] : [])),
  );
  return [...new Set(found)];
}

export interface DetailsParts {
  readonly id: string;
  readonly ways: readonly InstallWay[];
  readonly suggestedName: string;
}

export function registryDetails(
  server: RegistryServer,
  { id, ways, suggestedName }: DetailsParts,
  { now, language }: { readonly now: number; readonly language: string },
): OfferDetails {
  const { name, title, description, publishedAt } = server;
  const published = Date.parse(publishedAt ?? '');
  return {
    id,
    title: showHidden(title ?? name),
    description: showHidden(description),
    facts: [
      versionFact(server),
      ...(Number.isNaN(published)
        ? []
        : [l10n.t('This version was published {0}.', formatAge(now - published, language))]),
      l10n.t('{0} It was not checked.', publisherText(name)),
    ],
    cautions: serverCautions(server),
    links: serverLinks(server),
    ways: ways.map(wayView),
    suggestedName,
  };
}

export function versionFact({ name, version }: RegistryServer): string {
  return l10n.t('{0}, version {1}', name, showHidden(version));
}

export function serverLinks({ repository, website }: RegistryServer): OfferDetails['links'] {
  return [
    ...(repository === undefined ? [] : [{ id: 'repository' as const, label: repository }]),
    ...(website === undefined ? [] : [{ id: 'website' as const, label: website }]),
  ];
}

export type BroughtForm = PasteForm | 'bundle';

/** What it is that somebody has brought. */
export function pasteWords(form: BroughtForm, { length }: readonly unknown[]): string {
  switch (form) {
    case 'json':
      return counted(l10n.t('JSON of a server|JSON of {0} servers'), length);
    case 'bundle':
      return counted(l10n.t('A bundle|{0} bundles'), length);
    case 'import':
      return counted(l10n.t('1 server of another program|{0} servers of another program'), length);
    case 'link':
      return l10n.t('An install link');
    case 'client':
      return l10n.t('A command that adds a server');
    case 'url':
      return l10n.t('The URL of a server');
    case 'command':
      return l10n.t('A command line');
    case 'package':
      return l10n.t('A package');
  }
}

interface BroughtParts {
  readonly form: BroughtForm;
  readonly from: string | undefined;
  readonly launch: McpServerLaunch | undefined;
}

/** A server that somebody has brought. */
export function pastedDetails(
  { id, ways, suggestedName }: DetailsParts,
  { form, from, launch }: BroughtParts,
): OfferDetails {
  const spec = launch?.kind === 'stdio' ? packageOf(launch.command, launch.args) : undefined;
  return {
    id,
    title: showHidden(suggestedName),
    description: '',
    facts: [
      ...(form === 'link' ? [l10n.t('A link brought this server. It was not checked.')] : []),
      ...(from === undefined ? [] : [l10n.t('From: {0}', showHidden(from))]),
      ...(spec ? [l10n.t('Package {0}', showHidden(spec.written))] : []),
    ],
    cautions: [],
    links: [],
    ways: ways.map(wayView),
    suggestedName,
  };
}

/** A bundle, in what its publisher says and in what is known about it. */
export function bundleDetails(
  { manifest, isSigned, files, size, hash }: OpenedBundle,
  { id, ways, suggestedName }: DetailsParts,
): OfferDetails {
  const { name, title, version, description, author } = manifest;
  return {
    id,
    title: showHidden(title),
    description: showHidden(description),
    facts: [
      l10n.t('{0}, version {1}', showHidden(name), showHidden(version)),
      l10n.t('It says that it is by {0}. It was not checked.', showHidden(author)),
      signatureText(isSigned),
      l10n.t('{0} files, {1} unpacked', files, sizeText(size)),
      l10n.t('SHA-256: {0}', hash),
    ],
    cautions: [],
    links: [],
    ways: ways.map(wayView),
    suggestedName,
  };
}

/** What is wrong with a text. @throws what is no fault of the text */
export function wrongText(error: unknown): AddReading {
  if (!isHumanError(error)) {
    throw error;
  }
  const { message, remedy = '', facts } = error;
  return { kind: 'wrong', message: showHidden(message), remedy, at: facts?.at };
}

/** More are no form that anybody fills in. */
const maxFields = 200;

export function wayView({ id, title, blocker, bundle, fields }: InstallWay): OfferWay {
  const refusal =
    fields.length > maxFields ? l10n.t('It asks for more than {0} values.', maxFields) : blocker;
  // of a way that cannot be added nothing is asked
  const asked = refusal === undefined ? fields : [];
  return {
    id,
    title: showHidden(title),
    blocker: refusal === undefined ? undefined : showHidden(refusal),
    isBundle: bundle !== undefined || undefined,
    schema: {
      type: 'object',
      properties: Object.fromEntries(asked.map((field) => [field.id, fieldSchema(field)])),
      required: asked.filter(({ isRequired }) => isRequired).map((field) => field.id),
      additionalProperties: false,
    },
    secrets: asked
      .filter(({ isSecret, id: one }) => isSecret && !one.startsWith('input-'))
      .map((field) => field.id),
  };
}

function fieldSchema(field: InstallField): JsonObject {
  const { label, help, placeholder } = field;
  return {
    ...valueSchema(field),
    title: showHidden(label),
    description: showHidden(help),
    examples: placeholder === undefined ? [] : [showHidden(placeholder)],
  };
}

function valueSchema({
  choices,
  format,
  isRepeated,
  isSecret,
  default: value,
  minimum,
  maximum,
}: InstallField): JsonObject {
  if (isSecret) {
    return { type: 'string', format: 'password' };
  }
  if (choices.length > 0) {
    return defined({ type: 'string', enum: choices, default: value });
  }
  if (isRepeated) {
    return defined({ type: 'array', items: { type: 'string' }, default: value?.split('\n') });
  }
  if (format === 'boolean') {
    return defined({
      type: 'boolean',
      default: value === undefined ? undefined : value === 'true',
    });
  }
  const number = value === undefined || value === '' ? Number.NaN : Number(value);
  return format === 'number'
    ? defined({
        type: 'number',
        default: Number.isFinite(number) ? number : undefined,
        minimum,
        maximum,
      })
    : defined({ type: 'string', maxLength: 200, default: value });
}

export type ImportFiles = () => Promise<readonly ImportableFile[]>;

export function importChoices(files: readonly ImportableFile[]): readonly ImportChoice[] {
  const sources = [...new Set(files.map(({ source }) => source))];
  return sources.flatMap((source) => {
    const count = serversIn(files, source).length;
    return count === 0 ? [] : [{ source, label: importLabels[source], count }];
  });
}

export function serversIn(
  files: readonly ImportableFile[],
  source: string,
): readonly PastedServer[] {
  return files
    .filter((file) => file.source === source)
    .flatMap(({ parsed, location }) =>
      parsed.entries.flatMap((one) => {
        const entry = toOwnEntry(one);
        return entry
          ? [{ name: one.name, entry, declared: parsed.inputs, from: location.path }]
          : [];
      }),
    );
}

/** A file that is broken says so when it is written. */
export async function nameRefusal(
  check: () => Promise<HumanError | undefined>,
): Promise<string | undefined> {
  try {
    return (await check())?.message;
  } catch (error) {
    if (isHumanError(error)) {
      return undefined;
    }
    throw error;
  }
}
