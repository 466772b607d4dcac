import type { HostEnvironment } from '../ports.js';
import { readVariable } from './childEnvironment.js';

const defaultPorts: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/**
 * Host and port of the proxy that requests to an address go through, for words: without the account that its address
 * may hold. Undefined where there is none, or it is not known.
 */
export function findProxy(address: string, host: HostEnvironment): string | undefined {
  if (!URL.canParse(address)) {
    return undefined;
  }
  const url = new URL(address);
  const env = host.allVariables();
  const read = (name: string) =>
    readVariable(env, name.toLowerCase(), host.platform) ||
    readVariable(env, name, host.platform) ||
    undefined;
  const proxy =
    host.proxySetting?.() ??
    read(url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY') ??
    (url.protocol === 'https:' ? read('HTTP_PROXY') : undefined);
  if (proxy === undefined || !URL.canParse(proxy) || isLeftOut(url, read('NO_PROXY') ?? '')) {
    return undefined;
  }
  return new URL(proxy).host || undefined;
}

/** As the variable NO_PROXY says it: hosts, each with all that end in it, some with a port; or all. */
function isLeftOut({ protocol, hostname, port }: URL, noProxy: string): boolean {
  return noProxy
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((item) => item !== '')
    .some((item) => {
      const [, name = '', itemPort] = /^(.*?)(?::(\d+))?$/.exec(item) ?? [];
      const suffix = name.replace(/^\*?\.?/, '');
      const isHost = name === '*' || hostname === suffix || hostname.endsWith(`.${suffix}`);
      return isHost && (itemPort === undefined || itemPort === (port || defaultPorts[protocol]));
    });
}
