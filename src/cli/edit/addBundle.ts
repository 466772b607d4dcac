/** `pi-mcp add ./x.mcpb`: unpacks a bundle and writes the entry that runs it. Starts nothing. */
import { resolve } from 'node:path';
import { HumanError } from '../../base/errors.js';
import { asObject } from '../../base/json.js';
import { oneLine } from '../../base/text/plainText.js';
import { BundleStore, type OpenedBundle } from '../../mcp/bundles/bundleStore.js';
import { optionField } from '../../mcp/bundles/bundleWay.js';
import { signatureText } from '../../mcp/bundles/manifest.js';
import { checkAnswers, installEntry, registryServerName } from '../../mcp/registry/installEntry.js';
import type { CliResult } from '../cliTypes.js';
import { readValues } from '../inputs.js';
import { usageError } from '../options/readOptions.js';
import type { CliSession } from '../session.js';
import { runAdd } from './change.js';
import { fileOf } from './places.js';

export async function runAddBundle(
  session: CliSession,
  { path, name }: { readonly path: string; readonly name: string | undefined },
): Promise<CliResult> {
  const { environment, io, flags, service } = session;
  const bundles = new BundleStore(environment);
  const bundle = await bundles.open(resolve(io.cwd, path));
  const { way, manifest } = bundle;
  if (way.blocker !== undefined) {
    throw new HumanError('invalid_entry', way.blocker);
  }
  const answers = await readAnswers(session, bundle);
  const [trouble] = checkAnswers(way, answers);
  if (trouble) {
    const field = way.fields.find(({ id }) => id === trouble.field);
    const key = [...manifest.options.keys()].find((one) => optionField(one) === trouble.field);
    throw usageError(
      `The bundle asks for "${key ?? ''}" (${field?.label ?? ''}): ${trouble.message}`,
      'add',
    );
  }
  const pool = service.getPool(fileOf(session, flags.scope ?? 'local').poolId);
  const taken = new Set(pool?.inputs.map(({ id }) => id));
  const { entry, inputs } = installEntry(way, answers, taken);
  const added = { name: name ?? registryServerName(manifest.name), entry, inputs };
  const result = await runAdd(session, added, (file, write) => bundles.add(bundle, file, write));
  const changed = asObject(result.document);
  const { version, author } = manifest;
  const lines = [
    `${manifest.name}, version ${version}`,
    `It says that it is by ${author}. It was not checked.`,
    signatureText(bundle.isSigned),
  ];
  const document = {
    name: manifest.name,
    version,
    author,
    isSigned: bundle.isSigned,
    hash: bundle.hash,
  };
  return {
    ...result,
    document: { ...changed, bundle: document },
    text: `${result.text}${lines.map((line) => `  ${oneLine(line)}\n`).join('')}`,
  };
}

/** Nobody keeps secrets for the command line: they become inputs, which are asked for at each start. */
async function readAnswers(
  { flags, io }: CliSession,
  { way, manifest }: OpenedBundle,
): Promise<Readonly<Record<string, string>>> {
  const given = await readValues(flags, io.cwd);
  const answers: Record<string, string> = {};
  for (const key of manifest.options.keys()) {
    const field = way.fields.find(({ id }) => id === optionField(key));
    const value = given.get(key);
    if (field) {
      const asked = field.isSecret && field.isRequired ? key : undefined;
      answers[field.id] = value ?? field.default ?? asked ?? '';
    }
  }
  return answers;
}
