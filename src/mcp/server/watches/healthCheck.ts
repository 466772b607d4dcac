import type { Disposable } from '../../../base/disposable.js';
import type { Clock } from '../../../platform/clock.js';
import { isAuthorizationFailure } from '../../connection/authorizationFailure.js';
import { unresponsive } from '../../connection/connectionFailure.js';
import type { McpConnection } from '../../connection/mcpConnection.js';
import type { McpServerFailure } from '../../mcpTypes.js';

export interface HealthCheckOptions {
  readonly clock: Clock;
  /** Whether to ask now; a server that works on a request may be too busy to answer pings. */
  readonly isWanted: (connection: McpConnection) => boolean;
  /** Whether the server shows that it works, though it answers no ping. */
  readonly isAtWork: (connection: McpConnection) => boolean;
  /** The server answered none of several pings in a row, or answers nothing more without a sign-in. */
  readonly onDead: (connection: McpConnection, failure: McpServerFailure) => void;
}

/** Between two pings of a server that was used since the first of them. */
const intervalMs = 15_000;
/** The pause doubles up to this while nobody uses the server: many idle servers cost next to nothing. */
const maxIntervalMs = 300_000;
/** By how much a pause is longer or shorter at most, so that servers that began together are not all asked at once. */
const spread = 0.2;
const timeoutMs = 5000;
/** One lost answer may be a busy moment, two are a hung server. */
const allowedMisses = 1;

/** Finds out by pings that a server hangs although its process or stream is there. */
export class HealthCheck implements Disposable {
  private connection: McpConnection | undefined;
  private timer: Disposable | undefined;
  private misses = 0;
  private isAsking = false;
  /** Milliseconds until the next ping of a server that answers. */
  private pauseMs = intervalMs;

  constructor(private readonly options: HealthCheckOptions) {}

  /** Watches this connection from now on, or none. */
  watch(connection: McpConnection | undefined): void {
    if (connection !== this.connection) {
      this.connection = connection;
      this.misses = 0;
      this.pauseMs = intervalMs;
      this.schedule(intervalMs);
    }
  }

  /** Somebody uses the server, so that its end would matter again. */
  touch(): void {
    if (this.pauseMs > intervalMs) {
      this.pauseMs = intervalMs;
      if (!this.isAsking && this.misses === 0) {
        this.schedule(intervalMs);
      }
    }
  }

  /** A request got no answer: asks at once. Never rejects. */
  async checkNow(): Promise<void> {
    const { connection } = this;
    if (!connection || this.isAsking) {
      return;
    }
    this.isAsking = true;
    const failure = await ping(connection);
    this.isAsking = false;
    if (connection !== this.connection) {
      return;
    }
    if (failure && isAuthorizationFailure(failure)) {
      this.giveUp(connection, failure);
      return;
    }
    // any other answer is a sign of life, also a refusal, and so is any other message
    const isAlive = failure?.code !== 'request_timeout' || connection.silentMs < timeoutMs;
    this.misses = isAlive ? 0 : this.misses + 1;
    if (this.misses > allowedMisses && !this.options.isAtWork(connection)) {
      const silentMs = (allowedMisses + 1) * timeoutMs;
      this.giveUp(connection, connection.describeError(unresponsive(silentMs)));
    } else if (isAlive) {
      this.pauseMs = Math.min(this.pauseMs * 2, maxIntervalMs);
      this.schedule(this.pauseMs);
    } else {
      this.schedule(this.misses > allowedMisses ? intervalMs : 0);
    }
  }

  dispose(): void {
    this.watch(undefined);
  }

  private giveUp(connection: McpConnection, failure: McpServerFailure): void {
    this.watch(undefined);
    this.options.onDead(connection, failure);
  }

  private schedule(delayMs: number): void {
    this.timer?.dispose();
    this.timer = undefined;
    const { connection } = this;
    if (connection) {
      const { clock } = this.options;
      const spreadMs = delayMs * (1 + spread * (2 * clock.random() - 1));
      this.timer = clock.after(spreadMs, () => {
        if (this.misses > 0 || this.options.isWanted(connection)) {
          void this.checkNow();
        } else {
          this.schedule(intervalMs);
        }
      });
    }
  }
}

async function ping(connection: McpConnection): Promise<McpServerFailure | undefined> {
  try {
    await connection.session.ping({ timeoutMs });
    return undefined;
  } catch (error) {
    return connection.describeError(error);
  }
}
