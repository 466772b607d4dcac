/** Model servers in Pi's own list of models, `models.json`; everything else in the file stays as it is. */
import * as l10n from '@vscode/l10n';
import { HumanError } from '../../../base/errors.js';
import { asList, asObject, defined, isJsonObject, type JsonObject } from '../../../base/json.js';
import { rewriteFile } from '../../../config/edit/configFileWriter.js';
import { setJsonValue } from '../../../config/edit/jsonEdit.js';
import {
  jsonValueOf,
  parseJsonDocument,
  stripByteOrderMark,
} from '../../../config/parse/jsonDocument.js';
import type { ModelServer, ServedModel } from './modelServer.js';

/** Of models whose server does not say; small, so that no request is too long. */
const defaultContext = 32_768;

export interface WrittenServer extends ModelServer {
  /** Its requests carry a key, which is kept elsewhere. */
  readonly hasKey: boolean;
}

/**
 * Adds the server, or to one of that address the models that it lacks.
 * @param isTaken names that mean another provider
 * @returns what the provider is called
 * @throws {HumanError} when the file has an error, or cannot be written
 */
export async function writeModelServer(
  path: string,
  server: WrittenServer,
  isTaken: (name: string) => boolean,
): Promise<string> {
  let provider = server.slug;
  await rewriteFile(
    path,
    (fileText) => {
      const text = stripByteOrderMark(fileText);
      const providers = readProviders(text, path);
      const known = Object.entries(providers).find(
        ([, one]) => isJsonObject(one) && one.baseUrl === server.baseUrl,
      );
      provider = known?.[0] ?? freeName(server.slug, (name) => name in providers || isTaken(name));
      if (!known) {
        return setJsonValue(text, ['providers', provider], definitionOf(server));
      }
      const models = asList(asObject(known[1]).models);
      const ids = new Set(models.filter(isJsonObject).map(({ id }) => id));
      const added = server.models.filter(({ id }) => !ids.has(id)).map(modelOf);
      return setJsonValue(text, ['providers', provider, 'models'], [...models, ...added]);
    },
    { isPrivate: true },
  );
  return provider;
}

function readProviders(text: string, path: string): JsonObject {
  const { root, error } = parseJsonDocument(text);
  const value = root ? jsonValueOf(root) : {};
  const providers = isJsonObject(value) ? (value.providers ?? {}) : undefined;
  if (error || !isJsonObject(providers)) {
    throw new HumanError(
      'config_broken',
      l10n.t('{0} has an error, so nothing is written to it.', path),
      { remedy: l10n.t('Correct the file, then try again.') },
    );
  }
  return providers;
}

function freeName(slug: string, isTaken: (name: string) => boolean): string {
  let name = slug;
  for (let count = 2; isTaken(name); count++) {
    name = `${slug}-${count}`;
  }
  return name;
}

function definitionOf({ name, baseUrl, models, hasKey }: WrittenServer): JsonObject {
  return defined({
    name,
    baseUrl,
    api: 'openai-completions',
    // Pi wants one for every provider; servers without keys ignore it
    apiKey: hasKey ? undefined : 'none',
    compat: { supportsDeveloperRole: false, supportsReasoningEffort: false },
    models: models.map(modelOf),
  });
}

function modelOf({
  id,
  contextWindow = defaultContext,
  takesImages,
  thinks,
}: ServedModel): JsonObject {
  return {
    id,
    reasoning: thinks,
    input: takesImages ? ['text', 'image'] : ['text'],
    contextWindow,
    maxTokens: Math.min(16_384, Math.max(1, Math.floor(contextWindow / 4))),
  };
}
