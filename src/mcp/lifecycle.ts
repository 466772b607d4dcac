import { defaultOptions } from './config/fields.js';
import type { McpServerDefinition } from './mcpTypes.js';

/** 0 = never. An `eager` server stays unless its entry sets another time than the default. */
export function idleMinutes(definition: McpServerDefinition): number {
  const { lifecycle, idleTimeout } = definition.options;
  const isEager = lifecycle === 'eager' && idleTimeout === defaultOptions.idleTimeout;
  return isEager || isKeptAlive(definition) ? 0 : idleTimeout;
}

export function isKeptAlive({ options: { lifecycle } }: McpServerDefinition): boolean {
  return lifecycle === 'keep-alive' || lifecycle === 'lazy-keep-alive';
}
