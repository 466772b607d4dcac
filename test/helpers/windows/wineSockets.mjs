// @ts-check
/** Loaded before what runs under Wine, which connects no socket whose probes of an idle peer were asked for before. */
import { Socket } from 'node:net';

const { setKeepAlive } = Socket.prototype;
Socket.prototype.setKeepAlive = /** @type {typeof setKeepAlive} */ (
  /** @this {Socket} @param {any} args */
  function later(...args) {
    return this.connecting ? this : Reflect.apply(setKeepAlive, this, args);
  }
);
