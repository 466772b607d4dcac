import type { MaskText } from '../../config/secrets/secretMask.js';
import type { TrafficDirection } from '../trafficTypes.js';
import type { HttpStep } from './http/exchangeTap.js';
import type { JsonRpcMessage } from './reading/transport.js';

/** Sees all that passes over one connection, from the first byte on and unmasked. Nothing of it may throw or wait. */
export interface ConnectionTap {
  /** @param text it as JSON, where the wire has it at hand */
  message(direction: TrafficDirection, message: JsonRpcMessage, text?: string): void;
  http(step: HttpStep): void;
  stderr(line: string): void;
  connected(facts: { readonly transport: string; readonly pid: number | undefined }): void;
  /** @param error why, masked; `undefined`: we ended it */
  closed(error: string | undefined): void;
}

/** Called for each attempt to connect. */
export type OpenTap = (launch: 'stdio' | 'http', mask: MaskText) => ConnectionTap;
