/** An error instead of what the SDK would answer. @param id of the request; `null`: it cannot be said */
export function rpcResponse(
  status: number,
  code: number,
  message: string,
  id: unknown = null,
): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id }, { status });
}
