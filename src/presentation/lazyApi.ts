import { DisposableStore } from '../base/disposable.js';
import type { PiMcpApi, PiMcpEvent } from './extensionApi.js';

/** What other extensions get in a window that needed nothing of us yet: the first call loads the rest. */
export function createLazyApi(extension: {
  load(): Promise<{ readonly api: PiMcpApi }>;
}): PiMcpApi {
  const api = async () => (await extension.load()).api;
  let loaded: PiMcpApi | undefined;
  const eventOf =
    <T>(choose: (real: PiMcpApi) => PiMcpEvent<T>): PiMcpEvent<T> =>
    (listener) => {
      const store = new DisposableStore();
      void api().then((real) => store.add(choose(real)(listener)));
      return store;
    };
  return {
    version: 1,
    onDidChange: eventOf(({ onDidChange }) => onDidChange),
    onDidChangeServers: eventOf(({ onDidChangeServers }) => onDidChangeServers),
    onDidChangeTools: eventOf(({ onDidChangeTools }) => onDidChangeTools),
    settings() {
      void api().then((real) => {
        loaded = real;
      });
      // nothing was read yet
      return loaded?.settings() ?? { enabled: true, connected: 0, total: 0 };
    },
    updateSettings: async (...args) => (await api()).updateSettings(...args),
    servers: async (...args) => (await api()).servers(...args),
    upsert: async (...args) => (await api()).upsert(...args),
    remove: async (...args) => (await api()).remove(...args),
    probe: async (...args) => (await api()).probe(...args),
    start: async (...args) => (await api()).start(...args),
    stop: async (...args) => (await api()).stop(...args),
    tools: async (...args) => (await api()).tools(...args),
    agentTools: async (...args) => (await api()).agentTools(...args),
    requestTrust: async (...args) => (await api()).requestTrust(...args),
    revokeTrust: async (...args) => (await api()).revokeTrust(...args),
  };
}
