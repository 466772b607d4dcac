import { oneLine } from '../../base/text/plainText.js';
import { globalPoolId, type ImportSource } from '../../config/definition.js';
import { readConfigText } from '../../config/discovery/configFileStore.js';
import {
  findImportable,
  type ImportableFile,
  lostFields,
  type TakenServer,
  toOwnEntry,
  withAskedInputs,
} from '../../config/imports/importableServers.js';
import { importLabels } from '../../config/imports/importLabels.js';
import { assertNothingSecret } from '../../config/lint/sharedSecrets.js';
import type { ParsedConfigFile, ParsedEntry } from '../../config/parse/configTypes.js';
import { launchLine, launchLines } from '../../mcp/trust/launchLines.js';
import type { CliCommand } from '../arguments.js';
import { type CliResult, resultOf } from '../cliTypes.js';
import { askYesNo } from '../consent/askYesNo.js';
import type { Scope } from '../options/optionTable.js';
import type { CliSession } from '../session.js';
import { fileOf } from './places.js';

type ImportCommand = Extract<CliCommand, { readonly kind: 'import' }>;

interface Candidate {
  readonly source: ImportSource;
  readonly file: ParsedConfigFile;
  readonly parsed: ParsedEntry;
}

interface Skipped {
  readonly name: string;
  readonly source: ImportSource;
  readonly reason: 'server_name_taken' | 'invalid';
}

/** What other programs have, without sources; else takes their servers over. */
export async function runImport(
  session: CliSession,
  { sources, server }: ImportCommand,
): Promise<CliResult> {
  const { environment, folder, flags } = session;
  const files = await findImportable(environment, [folder], (_path, location) =>
    readConfigText(location),
  );
  if (sources.length === 0) {
    return listImportable(files);
  }
  if (flags.link) {
    return linkSources(session, sources);
  }
  return copyServers(
    session,
    files.filter(({ source }) => sources.includes(source)),
    server,
  );
}

function listImportable(files: readonly ImportableFile[]): CliResult {
  const importable = files.map(({ source, location, folder, parsed }) => ({
    source,
    path: location.path,
    scope: scopeOf({ folder, location }),
    servers: parsed.entries.map(({ name }) => name),
    problems: parsed.problems.map(({ message }) => message),
  }));
  const lines = files.flatMap(({ source, location, parsed }) => [
    `${source}  ${importLabels[source]}, ${location.path}`,
    ...parsed.entries.map(
      ({ name, launch }) => `  ${name}${launch ? `: ${launchLine(launch)}` : ''}`,
    ),
    ...parsed.problems.map(({ message }) => `  ${message}`),
  ]);
  return resultOf({ importable }, lines.length > 0 ? lines : [nothing()]);
}

/** Whose servers they are: what a program keeps for the folder in a file of the user is the user's alone. */
function scopeOf({ folder, location }: Pick<ImportableFile, 'folder' | 'location'>): Scope {
  return folder === undefined ? 'user' : location.folder === undefined ? 'local' : 'project';
}

/** The user's own file asks for them; those that a folder's files declare still wait for consent. */
async function linkSources(
  { service }: CliSession,
  sources: readonly ImportSource[],
): Promise<CliResult> {
  await service.configuration.addImports(globalPoolId, sources);
  const { path } = service.configuration.location(globalPoolId, 'primary');
  const names = sources.map((source) => importLabels[source]).join(', ');
  const sentence = `The servers of ${names} are shown as they are there.`;
  return resultOf({ action: 'linked', sources, path }, [sentence]);
}

/** What a folder's files declare goes to the folder's file alone, where it waits for consent as before. */
async function copyServers(
  session: CliSession,
  files: readonly ImportableFile[],
  only: string | undefined,
): Promise<CliResult> {
  const { service, flags } = session;
  const scope = flags.scope ?? 'user';
  const { poolId, file } = fileOf(session, scope);
  const { path, layer } = service.configuration.location(poolId, file);
  const candidates = files
    .filter((one) => scopeOf(one) === scope)
    .flatMap(({ source, parsed }) =>
      parsed.entries.map((entry) => ({ source, file: parsed, parsed: entry })),
    )
    .filter(({ parsed }) => only === undefined || parsed.name === only);
  const pool = service.getPool(poolId);
  const taken = new Set(pool?.servers.map(({ definition }) => definition.name));
  const { added: chosen, skipped } = choose(candidates, taken);
  const added = withAskedInputs(chosen, new Set(pool?.inputs.map(({ id }) => id)));
  for (const { name, entry } of added) {
    await assertNothingSecret(name, entry, { path, layer }, session.environment.homeDir);
  }
  if (added.length > 0) {
    const question = `Add them to ${path} (${scope})?`;
    await askYesNo(session, added.map(describe).join('\n\n'), question);
    await service.configuration.addServers(
      poolId,
      added.map(({ name, entry, inputs = [] }) => ({ name, entry, inputs })),
      file,
    );
  }
  const lines = [...added.map(addedText), ...skipped.map(skippedText)];
  const servers = added.map(({ name, source, lost }) => ({ name, source, ignored: lost }));
  return resultOf(
    { action: 'imported', scope, path, servers, skipped },
    lines.length > 0 ? lines : [nothing()],
  );
}

function nothing(): string {
  return 'There is nothing to import.';
}

interface Chosen extends TakenServer {
  readonly source: ImportSource;
  readonly parsed: ParsedEntry;
  /** Fields that do something there and nothing here. */
  readonly lost: readonly string[];
}

/** The first of a name; nothing that is there is replaced. */
function choose(candidates: readonly Candidate[], taken: ReadonlySet<string>) {
  const names = new Set(taken);
  const added: Chosen[] = [];
  const skipped: Skipped[] = [];
  for (const { source, file, parsed } of candidates) {
    const { name } = parsed;
    const entry = toOwnEntry(parsed);
    if (!entry || names.has(name)) {
      skipped.push({ name, source, reason: entry ? 'server_name_taken' : 'invalid' });
    } else {
      names.add(name);
      added.push({ name, entry, source, file, parsed, lost: lostFields(parsed) });
    }
  }
  return { added, skipped };
}

function describe({ name, source, file, parsed }: Chosen): string {
  const lines = parsed.launch ? launchLines(parsed.launch) : [];
  return [
    `${oneLine(name)} (${importLabels[source]}, ${oneLine(file.path)}):`,
    ...lines.map(({ label, text }) => `  ${oneLine(`${label}: ${text}`)}`),
  ].join('\n');
}

function addedText({ name, lost }: Chosen): string {
  const note = lost.length > 0 ? ` No effect here: ${lost.join(', ')}.` : '';
  return `${name}: imported.${note}`;
}

function skippedText({ name, reason }: Skipped): string {
  return reason === 'invalid'
    ? `${name}: cannot be used as it is written there.`
    : `${name}: not imported, since the name is taken.`;
}
