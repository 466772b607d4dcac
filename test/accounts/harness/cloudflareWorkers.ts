/** Stands for the module of that name in Cloudflare's runtime. */
export class WorkerEntrypoint<Env = unknown> {
  constructor(
    protected readonly ctx: unknown,
    protected readonly env: Env,
  ) {}
}
