/** What a program sends to the REST routes of a gateway. */
interface RestPlace {
  readonly port: number;
  readonly tokens: { readonly use: string; readonly manage: string };
}

interface RestReply {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** @param path behind `/api/v1` */
export async function rest(
  gateway: RestPlace,
  method: string,
  path: string,
  {
    token = gateway.tokens.manage,
    body,
  }: { readonly token?: string; readonly body?: unknown } = {},
): Promise<RestReply> {
  const response = await fetch(`http://127.0.0.1:${gateway.port}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as RestReply['body'] };
}

export function projectOf(folderUri: string): string {
  return encodeURIComponent(folderUri);
}
