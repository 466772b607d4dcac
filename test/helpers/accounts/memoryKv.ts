interface Entry {
  readonly value: string;
  readonly metadata: unknown;
}

/** As much of Cloudflare's KV as the authorization server uses. Nothing runs out. */
export class MemoryKv {
  private readonly entries = new Map<string, Entry>();

  async get(key: string, options?: { readonly type?: string }): Promise<unknown> {
    const value = this.entries.get(key)?.value;
    return value !== undefined && options?.type === 'json' ? JSON.parse(value) : (value ?? null);
  }

  async put(key: string, value: string, options?: { readonly metadata?: unknown }): Promise<void> {
    this.entries.set(key, { value, metadata: options?.metadata });
  }

  async delete(key: string): Promise<void> {
    this.entries.delete(key);
  }

  async list({ prefix = '' }: { readonly prefix?: string } = {}) {
    const found = [...this.entries].filter(([name]) => name.startsWith(prefix));
    const keys = found.map(([name, { metadata }]) => ({ name, metadata }));
    return { keys, list_complete: true as const, cacheStatus: null };
  }

  forget(...prefixes: string[]): void {
    for (const key of this.entries.keys()) {
      if (prefixes.some((prefix) => key.startsWith(prefix))) {
        this.entries.delete(key);
      }
    }
  }
}
