import fc from 'fast-check';

/** Of this run; `FUZZ_SEED` repeats an earlier one, and `FUZZ_RUNS` looks longer (default 200 for each property). */
export const seed = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31));
const numRuns = Number(process.env.FUZZ_RUNS ?? 200);

/** Fails with the seed and the smallest counterexample. */
export function holds<T extends readonly unknown[]>(property: fc.IProperty<T>): void {
  fc.assert(property as fc.IProperty<unknown>, { seed, numRuns });
}

/** Pieces of every grammar that is read here, and text that belongs to none. */
const pieces = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...'{}[]()<>"\'`\\/|&;:=,.?!@#$%^*+-_~ \t\r\n\0aA1é') },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      ...[
        '${',
        '${A',
        '${A:-',
        '$env:A',
        '{env:A}',
        '${input:a}',
        '${workspaceFolder}',
        '$(',
        '!a',
      ],
      ...['/*', '*/', '//', '<!--', '-->', '--!>', '<!doctype html>', '\ud800', '\udfff', '😀'],
      ...['"mcpServers":', '"servers":', '"mcp":', '"command":', '"url":', '"args":', '"env":'],
      ...['[mcp_servers.a]', '[[a]]', '"""', "'''", 'a = ', 'command = "x"', '1979-01-01', 'inf'],
      ...[
        'npx ',
        'claude mcp add ',
        '-e ',
        '--header ',
        '-- ',
        '--add-mcp ',
        'A=b ',
        'uvx ',
        '-y ',
      ],
      ...['https://', 'u:p@', '?token=', '&key=', 'Bearer ', 'Password=', '--token', 'eyJ', 'ghp_'],
      ...[
        '--json',
        '--folder',
        'call ',
        'probe ',
        '{"a":',
        'null',
        'true',
        '__proto__',
        'constructor',
      ],
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 0xffff }).map((n) => String.fromCharCode(n)) },
);

export const hostileText = fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join(''));
