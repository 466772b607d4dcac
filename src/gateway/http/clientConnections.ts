/** The connections of a gateway: those that have shown a token, and the others, which are held apart and not for long. */
import type { Socket } from 'node:net';
import type { Disposable } from '../../base/disposable.js';
import type { Clock } from '../../platform/clock.js';
import { gatewayLimits } from './limits.js';

export class ClientConnections {
  /** The oldest first. */
  private readonly unproven = new Map<Socket, Disposable>();
  private readonly proven = new Set<Socket>();

  constructor(private readonly clock: Clock) {}

  /** A client that has the token sends it at once, so the oldest of the others makes room. */
  add(socket: Socket): void {
    const expiry = this.clock.after(gatewayLimits.provingMs, () => socket.destroy());
    this.unproven.set(socket, expiry);
    socket.once('close', () => this.remove(socket));
    const [oldest] = this.unproven.keys();
    if (oldest && this.unproven.size > gatewayLimits.unprovenConnections) {
      oldest.destroy();
      this.remove(oldest);
    }
  }

  /** A request on it had a token. @returns false where there are too many of those */
  prove(socket: Socket): boolean {
    if (this.proven.has(socket)) {
      return true;
    }
    if (this.proven.size >= gatewayLimits.connections) {
      return false;
    }
    this.unproven.get(socket)?.dispose();
    this.unproven.delete(socket);
    this.proven.add(socket);
    return true;
  }

  private remove(socket: Socket): void {
    this.unproven.get(socket)?.dispose();
    this.unproven.delete(socket);
    this.proven.delete(socket);
  }
}
