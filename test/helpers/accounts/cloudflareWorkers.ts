/** Stands for the module of that name in Cloudflare's runtime. */
export class WorkerEntrypoint<Env = unknown> {
  constructor(
    protected readonly ctx: unknown,
    protected readonly env: Env,
  ) {}
}

/** As a worker sets them that takes addresses as client ids; its absence is warned of. */
Object.assign(globalThis, {
  Cloudflare: { compatibilityFlags: { global_fetch_strictly_public: true } },
});
