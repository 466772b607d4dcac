/** Finds model servers when the user asks, and adds them to Pi. */
import { editorProvider } from '../editor/provider.js';
import type { ModelLoginOptions } from '../login.js';
import { type ModelServer, readModelServer } from './modelServer.js';
import { writeModelServer } from './writeServer.js';

/** Where servers listen unless they are told otherwise. */
export const localServers = [
  { name: 'Ollama', port: 11_434 },
  { name: 'LM Studio', port: 1234 },
  { name: 'llama.cpp', port: 8080 },
] as const;

/** Milliseconds: this machine answers at once, or does not listen. */
const localTimeoutMs = 3_000;
const timeoutMs = 15_000;

export interface ModelServersOptions extends ModelLoginOptions {
  /** Absolute path of the file that lists models. */
  readonly modelsPath: () => string;
}

/** Those of this machine that answer. Asks nobody else. @param ports default: those that known servers use */
export async function findModelServers(
  signal: AbortSignal,
  ports: readonly number[] = localServers.map(({ port }) => port),
): Promise<readonly ModelServer[]> {
  const { fetch } = globalThis;
  const found = await Promise.allSettled(
    ports.map((port) =>
      readModelServer(`http://127.0.0.1:${port}/v1`, { fetch, signal, timeoutMs: localTimeoutMs }),
    ),
  );
  signal.throwIfAborted();
  return found.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
}

export class ModelServers {
  constructor(private readonly options: ModelServersOptions) {}

  /** @throws {HumanError} that says what is wrong; `model_server_key` when it wants a key, or another one. */
  async read(address: string, key: string | undefined, signal: AbortSignal): Promise<ModelServer> {
    return await readModelServer(address, { fetch: globalThis.fetch, key, signal, timeoutMs });
  }

  /**
   * Writes the server where Pi looks for models, and its key where Pi keeps keys.
   * @returns what Pi calls the provider
   */
  async add(server: ModelServer, key?: string): Promise<string> {
    const { models, modelsPath, reload } = this.options;
    const { runtime } = await models();
    const written = { ...server, hasKey: key !== undefined };
    const provider = await writeModelServer(
      modelsPath(),
      written,
      // that of the editor is Pi's only while the editor lends models
      (name) => name === editorProvider || runtime.getProvider(name) !== undefined,
    );
    if (key !== undefined) {
      await runtime.refresh({ allowNetwork: false });
      await runtime.login(provider, 'api_key', {
        prompt: () => Promise.resolve(key),
        notify: () => undefined,
      });
    }
    await reload();
    return provider;
  }
}
