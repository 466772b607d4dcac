type Payload = Record<string, unknown>;

/** What an oidc-provider keeps, so that a test can make it forget. */
export class OidcStore {
  private readonly models = new Map<string, Map<string, Payload>>();

  /** Of the provider's port for databases. */
  readonly adapter = (model: string) => {
    const entries = this.entries(model);
    const findBy = (key: string, value: unknown) =>
      [...entries.values()].find((payload) => payload[key] === value);
    return {
      upsert: async (id: string, payload: Payload) => void entries.set(id, payload),
      find: async (id: string) => entries.get(id),
      findByUid: async (uid: string) => findBy('uid', uid),
      findByUserCode: async (userCode: string) => findBy('userCode', userCode),
      consume: async (id: string) => {
        const payload = entries.get(id);
        if (payload) {
          payload.consumed = Math.floor(Date.now() / 1000);
        }
      },
      destroy: async (id: string) => void entries.delete(id),
      revokeByGrantId: async (grantId: string) => {
        for (const [id, payload] of entries) {
          if (payload.grantId === grantId) {
            entries.delete(id);
          }
        }
      },
    };
  };

  /** Of a model such as `Client`, `Grant` or `AccessToken`. */
  count(model: string): number {
    return this.entries(model).size;
  }

  forget(...models: string[]): void {
    for (const model of models) {
      this.entries(model).clear();
    }
  }

  private entries(model: string): Map<string, Payload> {
    const entries = this.models.get(model) ?? new Map<string, Payload>();
    this.models.set(model, entries);
    return entries;
  }
}
