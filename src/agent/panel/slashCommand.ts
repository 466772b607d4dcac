/** Reads `/server:prompt name=value other="two words"`. */

export interface SlashCommand {
  /** With the slash. */
  readonly name: string;
  readonly prompt: { readonly arguments: readonly { readonly name: string }[] };
}

/** The longest command that the text starts with. `undefined`: the text is none of ours. */
export function parseSlashCommand<C extends SlashCommand>(
  text: string,
  commands: readonly C[],
): { readonly command: C; readonly args: Readonly<Record<string, string>> } | undefined {
  const command = commands
    .filter(({ name }) => text === name || /^\s/.test(text.slice(name.length)))
    .filter(({ name }) => text.startsWith(name))
    .sort((a, b) => b.name.length - a.name.length)[0];
  return (
    command && {
      command,
      args: parseArguments(
        text.slice(command.name.length).trim(),
        command.prompt.arguments.map(({ name }) => name),
      ),
    }
  );
}

/** Text without names belongs to the first argument. */
function parseArguments(text: string, names: readonly string[]): Record<string, string> {
  // servers choose the names
  const args: Record<string, string> = Object.create(null);
  const rest = text.replace(
    // in time linear to the text: a word without a name is not tried again from each of its letters
    /(\S+?)=(?:"([^"]*)"|(\S*))|\S+/g,
    (whole, name?: string, quoted?: string, bare?: string) => {
      if (name === undefined || !names.includes(name)) {
        return whole;
      }
      args[name] = quoted ?? bare ?? '';
      return '';
    },
  );
  const [first] = names;
  if (rest.trim() !== '' && first !== undefined && args[first] === undefined) {
    args[first] = rest.trim();
  }
  return args;
}
