/** A call as text that runs it again elsewhere. */
import type { JsonObject } from '../../base/json.js';

export interface CopiedCall {
  readonly server: string;
  readonly tool: string;
  readonly args: JsonObject;
  /** Path of the folder whose server it is. */
  readonly folder: string | undefined;
}

/** @param isPowerShell quotes as PowerShell reads them instead of as POSIX shells do */
export function commandLineOf(
  { server, tool, args, folder }: CopiedCall,
  isPowerShell: boolean,
): string {
  const quote = (word: string) => {
    if (/^[\w./-]+$/.test(word) && !word.startsWith('-')) {
      return word;
    }
    return `'${word.replaceAll("'", isPowerShell ? "''" : "'\\''")}'`;
  };
  const place = folder === undefined ? [] : ['--folder', quote(folder)];
  const words = [quote(server), quote(tool), quote(JSON.stringify(args))];
  return ['pi-mcp', 'call', ...place, ...words].join(' ');
}
