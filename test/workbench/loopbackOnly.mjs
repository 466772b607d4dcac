/** Preload for servers that would listen on every interface: they listen on 127.0.0.1. */
import { Server } from 'node:net';

const { listen } = Server.prototype;
/** @param {unknown[]} args */
Server.prototype.listen = function listenOnLoopback(...args) {
  const [port, ...rest] = args;
  const isPort = typeof port === 'number' || typeof port === 'string';
  const options = isPort ? [{ port: Number(port), host: '127.0.0.1' }, ...rest] : args;
  return Reflect.apply(listen, this, options);
};
