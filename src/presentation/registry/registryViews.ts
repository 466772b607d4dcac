/** Servers of the registry, and of links, in words. Plain Node; no `vscode`. */
import * as l10n from '@vscode/l10n';
import { showHidden } from '../../base/text/showHidden.js';
import { publisherText, serverCautions } from '../../mcp/registry/cautions.js';
import type { InstallField } from '../../mcp/registry/installFields.js';
import type { InstallWay } from '../../mcp/registry/installWay.js';
import type { FoundServers, RegistryServer } from '../../mcp/registry/serverJson.js';
import type {
  RegistryDetails,
  RegistryField,
  RegistryRow,
  RegistryRows,
  RegistryWay,
} from '../../protocol/registry/registryProtocol.js';
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

export interface DetailsParts {
  readonly id: string;
  readonly ways: readonly InstallWay[];
  readonly suggestedName: string;
}

export function registryDetails(
  server: RegistryServer,
  { id, ways, suggestedName }: DetailsParts,
  { now, language }: { readonly now: number; readonly language: string },
): RegistryDetails {
  const { name, title, description, version, publishedAt, repository, website } = server;
  const published = Date.parse(publishedAt ?? '');
  return {
    id,
    title: showHidden(title ?? name),
    description: showHidden(description),
    facts: [
      l10n.t('{0}, version {1}', name, showHidden(version)),
      ...(Number.isNaN(published)
        ? []
        : [l10n.t('This version was published {0}.', formatAge(now - published, language))]),
      l10n.t('{0} It was not checked.', publisherText(name)),
    ],
    cautions: serverCautions(server),
    links: [
      ...(repository === undefined ? [] : [{ id: 'repository' as const, label: repository }]),
      ...(website === undefined ? [] : [{ id: 'website' as const, label: website }]),
    ],
    ways: ways.map(wayView),
    suggestedName,
  };
}

/** A server that came with a link instead of from the registry. */
export function linkedDetails({ id, ways, suggestedName }: DetailsParts): RegistryDetails {
  return {
    id,
    title: suggestedName,
    description: '',
    facts: [l10n.t('A link brought this server. It was not checked.')],
    cautions: [],
    links: [],
    ways: ways.map(wayView),
    suggestedName,
  };
}

function wayView({ id, title, blocker, fields }: InstallWay): RegistryWay {
  return {
    id,
    title: showHidden(title),
    blocker: blocker === undefined ? undefined : showHidden(blocker),
    // of a way that cannot be added nothing is asked
    fields: blocker === undefined ? fields.map(fieldView) : [],
  };
}

function fieldView(field: InstallField): RegistryField {
  const { id, label, help, isRequired, isSecret, choices, placeholder = '' } = field;
  return {
    id,
    label: showHidden(label),
    help: showHidden(help),
    isRequired,
    isSecret,
    control: controlOf(field),
    choices,
    initial: field.default ?? '',
    placeholder: showHidden(placeholder),
  };
}

function controlOf({ choices, format, isRepeated, isSecret }: InstallField) {
  if (choices.length > 0) {
    return 'choice';
  }
  if (isRepeated && !isSecret) {
    return 'lines';
  }
  return format === 'boolean' ? 'check' : format === 'number' ? 'number' : 'text';
}
