/** The server side of the protocol takes 40 ms to load, and most windows lend nothing. */
export function loadWire() {
  return import('./wire.js');
}
