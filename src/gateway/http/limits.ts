/** Bounds of everything that listens. */
export const gatewayLimits = {
  bodyBytes: 4 * 1024 * 1024,
  batch: 100,
  sessions: 64,
  /** Milliseconds after which a session that nobody uses ends. */
  sessionIdleMs: 30 * 60_000,
  /** Milliseconds after which a session that nobody uses gives way to a new one. */
  sessionSpareMs: 60_000,
  /** That have shown a token. */
  connections: 256,
  /** That have not, yet. */
  unprovenConnections: 64,
  /** Milliseconds that one has to show it, or a client of the socket to say who it is: longer than a head may take. */
  provingMs: 15_000,
  /** Of requests that run. */
  bodiesBytes: 128 * 1024 * 1024,
  /** Of answers that wait to be read: from which on one counts, of one client, and of all. */
  unreadWorthBytes: 64 * 1024,
  unreadOfClientBytes: 48 * 1024 * 1024,
  unreadBytes: 96 * 1024 * 1024,
  headersMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 5_000,
  /** Milliseconds that the last answers have to reach their clients. */
  flushMs: 200,
  headerBytes: 16 * 1024,
  urlLength: 2048,
  /** Requests, of all clients together: more than one gets answered that waits for each answer. */
  rate: { burst: 4000, perSecond: 2000 },
  /** Requests without a token that counts. */
  refusedRate: { burst: 30, perSecond: 2 },
  subscriptions: 100,
  /** Of states of servers, of all clients. */
  eventStreams: 16,
} as const;
