/** Completion in the shells: a script for each, and the words that it asks for. */
import { importSources } from '../../config/definition.js';
import { exportClients } from '../../config/export/clientFormats.js';
import { type CommandName, commandNames, commandSpec } from './commandTable.js';
import { commonOptions, type OptionName, optionOf } from './optionTable.js';
import { commandIn, optionBefore } from './readOptions.js';

const bash = `_pi_mcp() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    COMPREPLY+=("$line")
  done < <(pi-mcp complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _pi_mcp pi-mcp
`;

const zsh = `#compdef pi-mcp
_pi_mcp() {
  local -a found
  found=(\${(f)"$(pi-mcp complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)"})
  if (( $#found )); then
    compadd -- $found
  else
    _files
  fi
}
compdef _pi_mcp pi-mcp
`;

const fish = `function __pi_mcp_complete
  set -l words (commandline -opc)
  pi-mcp complete -- $words[2..-1] (commandline -ct) 2>/dev/null
end
complete -c pi-mcp -f -a '(__pi_mcp_complete)'
complete -c pi-mcp -l folder -r -F
complete -c pi-mcp -l home -r -F
complete -c pi-mcp -n '__fish_seen_subcommand_from mock' -F
`;

/** What each shell reads once. */
export const completionScripts = { bash, fish, zsh };

export const shells = ['bash', 'fish', 'zsh'] as const satisfies (keyof typeof completionScripts)[];

/**
 * Words that fit at the end.
 * @param words what stands behind the name of the program; the last one is being typed
 * @param servers names of servers; asked only where one may stand
 */
export async function completeWords(
  words: readonly string[],
  servers: () => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const typed = words.at(-1) ?? '';
  const found = await candidates(words.slice(0, -1), typed, servers);
  return found.filter((word) => word.startsWith(typed) && isPlain(word));
}

async function candidates(
  before: readonly string[],
  typed: string,
  servers: () => Promise<readonly string[]>,
): Promise<readonly string[]> {
  if (before.includes('--')) {
    return [];
  }
  const option = optionBefore(before);
  if (option !== undefined) {
    return option === 'server' ? servers() : (optionOf(option).choices ?? []);
  }
  const command = commandIn(before);
  if (typed.startsWith('-')) {
    return optionsOf(command).map((name) => `--${name}`);
  }
  switch (command && commandSpec(command).words) {
    case 'server':
      return servers();
    case 'profile':
      return ['list', 'use'];
    case 'source':
      return importSources;
    case 'client':
      return exportClients.some((client) => before.includes(client)) ? servers() : exportClients;
    case 'shell':
      return shells;
    case undefined:
      return command === undefined ? commandNames : [];
  }
}

function optionsOf(command: CommandName | undefined): readonly OptionName[] {
  return [...(command === undefined ? [] : commandSpec(command).options), ...commonOptions];
}

/** Names come from files of a folder; only what no shell could take for anything else is offered. */
function isPlain(word: string): boolean {
  return /^[\w.@+/-]+$/.test(word);
}
