/** Codes of errors: of JSON-RPC 2.0, of MCP, and of what SDKs and servers have agreed on. */
export const rpcCode = {
  userRejected: -1,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** To apps: by the host or the user. */
  refused: -32000,
  /** By the examples of the official SDK, whatever was asked. */
  plainError: -32000,
  /** Of remote servers. */
  sessionNotFound: -32001,
  /** Refused before it ran: parameters were not, or not as they are, among the headers. */
  headerMismatch: -32020,
  /** Refused before it ran: the user has to visit pages first. */
  urlElicitationRequired: -32042,
} as const;
