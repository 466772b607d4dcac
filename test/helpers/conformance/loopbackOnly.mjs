/**
 * Preload for the suite, whose mock servers would listen on every interface and read their address at once: they
 * listen on 127.0.0.1. Naming a host in `listen` would make the address known only later.
 */
import { Server } from 'node:net';

const listen = Reflect.get(Server.prototype, '_listen2');
if (typeof listen !== 'function') {
  throw new Error('This Node does not let the mock servers be kept on the loopback interface');
}
/**
 * @this {Server}
 * @param {unknown} _address
 * @param {unknown} port
 * @param {unknown} _addressType
 * @param {unknown[]} rest
 */
function listenOnLoopback(_address, port, _addressType, ...rest) {
  return Reflect.apply(listen, this, ['127.0.0.1', port, 4, ...rest]);
}
Reflect.set(Server.prototype, '_listen2', listenOnLoopback);
