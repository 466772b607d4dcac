/** Servers of models that speak OpenAI's protocol, such as Ollama, LM Studio and llama.cpp: which models they have. */
import * as l10n from '@vscode/l10n';
import { errorCode, HumanError } from '../../../base/errors.js';
import { asList, asObject, isJsonObject, type JsonObject } from '../../../base/json.js';
import { showHidden } from '../../../base/text/showHidden.js';
import { askJson, type JsonAnswer } from '../../../mcp/connection/http/askJson.js';

export interface ModelServer {
  /** What it is called where it is kept, such as `ollama`. */
  readonly slug: string;
  readonly name: string;
  /** With what its requests begin, such as `http://127.0.0.1:11434/v1`. */
  readonly baseUrl: string;
  readonly models: readonly ServedModel[];
}

export interface ServedModel {
  readonly id: string;
  /** Tokens, where the server says. */
  readonly contextWindow?: number;
  readonly takesImages: boolean;
  readonly thinks: boolean;
}

export interface ServerRequest {
  readonly fetch: typeof globalThis.fetch;
  readonly signal?: AbortSignal | undefined;
  readonly key?: string | undefined;
  /** Milliseconds for one answer. */
  readonly timeoutMs: number;
}

const maxBodyBytes = 4 * 1024 * 1024;
const maxModels = 200;
const maxIdLength = 200;
/** Models of Ollama that are asked about one by one. */
const maxAsked = 40;

/**
 * Addresses that may be meant, the most probable one first.
 * @param typed such as `localhost:1234` or `https://models.example/v1/chat/completions`
 * @throws {HumanError} for what is no web address
 */
export function serverAddresses(typed: string): readonly string[] {
  const text = typed.trim();
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw noModelServer('model_server_address');
  }
  const path = url.pathname.replace(/\/(chat\/completions|completions|models)?\/*$/, '');
  const base = `${url.origin}${path.replace(/\/+$/, '')}`;
  return /\/v\d+(beta)?$/.test(base) ? [base] : [`${base}/v1`, base];
}

/** @throws {HumanError} that says in words what is wrong. */
export async function readModelServer(typed: string, request: ServerRequest): Promise<ModelServer> {
  const addresses = serverAddresses(typed);
  for (const baseUrl of addresses) {
    const answer = await ask(`${baseUrl}/models`, request);
    if (answer.status === 401 || answer.status === 403) {
      throw needsKey(baseUrl);
    }
    const listed = answer.body?.data;
    if (answer.status === 200 && Array.isArray(listed)) {
      return await serverOf(baseUrl, listed.filter(isJsonObject), request);
    }
  }
  throw noModelServer('model_server_path');
}

function noModelServer(code: 'model_server_address' | 'model_server_path'): HumanError {
  return new HumanError(code, l10n.t('This is not the address of a model server.'), {
    remedy: l10n.t('Write one such as http://localhost:11434/v1, without a name or key.'),
  });
}

function needsKey(baseUrl: string): HumanError {
  return new HumanError('model_server_key', l10n.t('{0} wants a valid API key.', baseUrl));
}

async function ask(url: string, request: ServerRequest, body?: JsonObject): Promise<JsonAnswer> {
  const { key, signal } = request;
  try {
    return await askJson(url, {
      ...request,
      maxBytes: maxBodyBytes,
      headers: key === undefined ? undefined : { authorization: `Bearer ${key}` },
      body,
    });
  } catch (error) {
    signal?.throwIfAborted();
    throw unreachable(url, error);
  }
}

function unreachable(url: string, error: unknown): HumanError {
  const code = errorCode(error) ?? errorCode(error instanceof Error ? error.cause : undefined);
  const { origin } = new URL(url);
  const isLate = error instanceof Error && error.name === 'TimeoutError';
  const reason = isLate ? l10n.t('No answer') : (code ?? l10n.t('no reason given'));
  return new HumanError(
    'model_server_unreachable',
    l10n.t('{0} cannot be reached ({1}).', origin, reason),
    { remedy: l10n.t('Start the server, and check host and port.'), cause: error },
  );
}

async function serverOf(
  baseUrl: string,
  listed: readonly JsonObject[],
  request: ServerRequest,
): Promise<ModelServer> {
  const ids = [...new Set(listed.flatMap(({ id }) => (isId(id) ? [id] : [])))];
  const known = await describe(baseUrl, listed, request);
  const models = ids.slice(0, maxModels).flatMap((id): readonly ServedModel[] => {
    const { isChat = !/embed|rerank|whisper|tts/i.test(id), ...rest } = known.models.get(id) ?? {};
    return isChat ? [{ id, takesImages: false, thinks: false, ...rest }] : [];
  });
  if (models.length === 0) {
    throw new HumanError(
      'model_server_empty',
      l10n.t('{0} has no model that could answer.', baseUrl),
      { remedy: l10n.t('Download or load one with it first.') },
    );
  }
  return { slug: known.slug, name: known.name, baseUrl, models };
}

/** One line of what can be seen: it is shown as it is, and sent as it is. */
function isId(id: unknown): id is string {
  return (
    typeof id === 'string' &&
    id !== '' &&
    id.length <= maxIdLength &&
    id.trim() === id &&
    !/[\n\r\t]/.test(id) &&
    showHidden(id) === id
  );
}

interface Described {
  readonly isChat?: boolean;
  readonly contextWindow?: number;
  readonly takesImages?: boolean;
  readonly thinks?: boolean;
}

interface Description {
  readonly slug: string;
  readonly name: string;
  readonly models: ReadonlyMap</* id */ string, Described>;
}

/** What servers say beyond OpenAI's protocol; a server with a key is not asked for it. */
async function describe(
  baseUrl: string,
  listed: readonly JsonObject[],
  request: ServerRequest,
): Promise<Description> {
  const root = baseUrl.replace(/\/v\d+$/, '');
  const { host } = new URL(baseUrl);
  const other = { slug: host.replaceAll(/[^\w.-]/g, '-'), name: host, models: new Map() };
  if (request.key !== undefined) {
    return other;
  }
  const tryAsk = async (url: string, body?: JsonObject): Promise<JsonObject> => {
    try {
      const answer = await ask(url, request, body);
      return answer.status === 200 ? (answer.body ?? {}) : {};
    } catch {
      request.signal?.throwIfAborted();
      // it is another kind of server
      return {};
    }
  };
  if (listed.some(({ owned_by: owner }) => owner === 'llamacpp')) {
    return describeLlamaCpp(listed, await tryAsk(`${root}/props`));
  }
  const { models: tags } = await tryAsk(`${root}/api/tags`);
  if (Array.isArray(tags)) {
    return await describeOllama(tags.filter(isJsonObject), (model) =>
      tryAsk(`${root}/api/show`, { model }),
    );
  }
  const { data } = await tryAsk(`${root}/api/v0/models`);
  return Array.isArray(data) ? describeLmStudio(data.filter(isJsonObject)) : other;
}

/** https://github.com/ollama/ollama/blob/main/docs/api.md */
async function describeOllama(
  tags: readonly JsonObject[],
  show: (model: string) => Promise<JsonObject>,
): Promise<Description> {
  const ids = tags.flatMap(({ name }) => (isId(name) ? [name] : [])).slice(0, maxAsked);
  const models = new Map<string, Described>();
  for (const id of ids) {
    const { model_info: info, capabilities } = await show(id);
    const can = asList(capabilities);
    const [, context] =
      Object.entries(asObject(info)).find(([key]) => key.endsWith('.context_length')) ?? [];
    models.set(id, {
      isChat: can.length > 0 ? can.includes('completion') : undefined,
      takesImages: can.includes('vision'),
      thinks: can.includes('thinking'),
      ...contextOf(context),
    });
  }
  return { slug: 'ollama', name: 'Ollama', models };
}

/** https://lmstudio.ai/docs/developer/rest/endpoints */
function describeLmStudio(data: readonly JsonObject[]): Description {
  const models = data.flatMap((one) => {
    const { id, type, loaded_context_length: loaded, max_context_length: most } = one;
    return isId(id)
      ? [
          [
            id,
            {
              isChat: type !== 'embeddings',
              takesImages: type === 'vlm',
              ...contextOf(loaded ?? most),
            },
          ] as const,
        ]
      : [];
  });
  return { slug: 'lmstudio', name: 'LM Studio', models: new Map(models) };
}

/** https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md */
function describeLlamaCpp(listed: readonly JsonObject[], props: JsonObject): Description {
  const { default_generation_settings: settings, modalities } = props;
  const takesImages = asObject(modalities).vision === true;
  const models = listed.flatMap(({ id, meta }) => {
    const context = asObject(settings).n_ctx ?? asObject(meta).n_ctx_train;
    return isId(id) ? [[id, { takesImages, ...contextOf(context) }] as const] : [];
  });
  return { slug: 'llamacpp', name: 'llama.cpp', models: new Map(models) };
}

function contextOf(tokens: unknown): { readonly contextWindow?: number } {
  return typeof tokens === 'number' && Number.isSafeInteger(tokens) && tokens > 0
    ? { contextWindow: tokens }
    : {};
}
