import type { McpServerDefinition } from './mcpTypes.js';

/** 0 = never. */
export function idleMinutes(definition: McpServerDefinition): number {
  return isKeptAlive(definition) ? 0 : definition.options.idleTimeout;
}

/** Whether a server runs before anybody uses it. */
export function startsAtOnce({ options: { lifecycle } }: McpServerDefinition): boolean {
  return lifecycle === 'eager' || lifecycle === 'keep-alive';
}

export function isKeptAlive({ options: { lifecycle } }: McpServerDefinition): boolean {
  return lifecycle === 'keep-alive' || lifecycle === 'lazy-keep-alive';
}

/** Whether a server whose connection ended by itself is connected again before anybody uses it. */
export function comesBack({ options }: McpServerDefinition, hasConnected: boolean): boolean {
  const { lifecycle } = options;
  return lifecycle === 'keep-alive' || (lifecycle !== 'lazy' && hasConnected);
}
