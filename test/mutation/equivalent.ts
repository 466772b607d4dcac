/** Mutants that mean the same as the source, by what they are: they do not count. */
export interface Equivalent {
  readonly file: string;
  /** The text of its line, without the space around. */
  readonly line: string;
  readonly kind: string;
  /** What is another one. Default: whatever of this kind the line has. */
  readonly was?: string;
  readonly why: string;
}

export const equivalents: readonly Equivalent[] = [
  {
    file: 'src/base/form/fieldModel.ts',
    line: "const reference = isJsonObject(branch) && typeof branch.$ref === 'string' ? branch.$ref : '';",
    kind: 'some text',
    why: 'any text that is no reference into the definitions is as good as none',
  },
  {
    file: 'src/base/form/fieldDraft.ts',
    line: "this.text = field.options[this.chosen]?.label ?? '';",
    kind: 'some text',
    why: 'it is written after canHold has found the option',
  },
  {
    file: 'src/base/form/fieldDraft.ts',
    line: "const row = this.rowFor('') ?? { name: '', draft: this.child(otherField('')) };",
    kind: 'some text',
    why: 'the name of an item is not used',
  },
  {
    file: 'src/base/form/fieldDraft.ts',
    line: "} else if (draft.state === 'absent' && index < last && !isRow && !draft.field.isRequired) {",
    kind: '< is <=',
    why: 'the last one that is not absent is not absent',
  },
  {
    file: 'src/gateway/http/body.ts',
    line: 'return Promise.resolve(undefined);',
    kind: 'nothing returned',
    why: 'who calls waits for the result, and nothing is what it resolves to',
  },
  {
    file: 'src/gateway/http/httpDoor.ts',
    line: "return this.request.method ?? '';",
    kind: 'some text',
    why: 'a request that a server of Node receives has a method',
  },
  {
    file: 'src/gateway/http/guards.ts',
    line: "const name = rawHeaders[index]?.toLowerCase() ?? '';",
    kind: 'some text',
    why: 'the loop ends before the list does',
  },
  {
    file: 'src/gateway/http/guards.ts',
    line: "addTo(byName, name, rawHeaders[index + 1] ?? '');",
    kind: 'some text',
    why: 'the loop ends before the list does',
  },
  {
    file: 'src/agent/changes/blobs.ts',
    line: 'const packingBytes = 64 * 1024;',
    kind: 'another number',
    why: 'packing makes nothing larger by as much as either',
  },
  {
    file: 'src/agent/changes/blobs.ts',
    line: '!needed.has(version) && touched < fresh && (this.known.get(version) ?? 0) < fresh;',
    kind: 'another number',
    why: 'both are a moment of 1970',
  },
  {
    file: 'src/agent/changes/hunks.ts',
    line: '.slice(0, 16),',
    kind: 'another number',
    why: 'any part of the hash is an id',
  },
  {
    file: 'src/agent/changes/undo.ts',
    line: "if (before === 'unread' || sameContent(now, before)) {",
    kind: 'empty text',
    why: 'planUndo has refused it before',
  },
  {
    file: 'src/mcp/server/connectionOwner.ts',
    line: 'this.pauseEndsAt = 0;',
    kind: 'another number',
    why: 'both are long past',
  },
  {
    file: 'src/mcp/server/connectionOwner.ts',
    line: 'this.pauseEndsAt = isPaused ? now + Math.min(longestPauseMs, pauseMs) : 0;',
    kind: 'another number',
    why: 'both are long past',
  },
  {
    file: 'src/mcp/server/connectionOwner.ts',
    line: 'private pauseEndsAt = 0;',
    kind: 'another number',
    why: 'both are long past',
  },
  {
    file: 'src/mcp/server/listRefresh.ts',
    line: 'return false;',
    kind: 'nothing returned',
    why: 'it is only asked whether it is so',
  },
  {
    file: 'src/mcp/server/listRefresh.ts',
    line: 'if (pauseMs > 0) {',
    kind: 'another number',
    why: 'a pause is of seconds, or none',
  },
  {
    file: 'src/mcp/server/readCatalog.ts',
    line: '...((instructions?.length ?? 0) > maxDescriptionLength',
    kind: 'another number',
    why: 'both are fewer characters than there may be',
  },
  {
    file: 'src/mcp/server/loadSkill.ts',
    line: "const isWanted = await review?.({ definition, skill, text: own.text ?? '' }, signal);",
    kind: 'some text',
    why: 'a SKILL.md that is no text has been refused',
  },
  {
    file: 'src/mcp/server/mcpServer.ts',
    line: "throw new DOMException('The server may not run', 'AbortError');",
    kind: 'empty text',
    was: "'The server may not run'",
    why: 'nobody is shown the text of a cancellation',
  },
  {
    file: 'src/mcp/server/watches/idleClock.ts',
    line: 'if (limitMs <= 0 || isInUse()) {',
    kind: 'another number',
    why: 'an idle time is of minutes, or none',
  },
  {
    file: 'src/mcp/server/watches/healthCheck.ts',
    line: 'private misses = 0;',
    kind: 'another number',
    why: 'it is 0 anew for each connection, and without one nothing is asked',
  },
  {
    file: 'src/config/edit/changedRegions.ts',
    line: 'return aMiddle.length + bMiddle.length === 0 ? [] : [whole];',
    kind: '+ is -',
    why: 'one of the two is 0 there',
  },
  {
    file: 'src/config/edit/configFileWriter.ts',
    line: "return 'unchanged';",
    kind: 'nothing returned',
    why: 'what is neither disturbed nor written is unchanged',
  },
  {
    file: 'src/config/edit/jsonEdit.ts',
    line: 'if (!array) {',
    kind: 'branch never taken',
    why: 'each step leaves the array where it found it',
  },
  {
    file: 'src/config/edit/jsonEdit.ts',
    line: 'for (let depth = path.length - 1; depth > 0; depth--) {',
    kind: '- is +',
    why: 'it is called where nothing stands at the whole path, and longer ones are the whole path',
  },
  {
    file: 'src/agent/policy/shell/grammars.ts',
    line: "return at === -1 || valued.includes(letters[at] ?? '-');",
    kind: 'empty text',
    why: 'the letter is one of those that were searched',
  },
  {
    file: 'src/agent/policy/shell/readOnlyCommands.ts',
    line: "function verbOf([first = '', second = '']: readonly (string | undefined)[]): string {",
    kind: 'some text',
    why: 'no verb that reads is called so, nor one of two words',
  },
  {
    file: 'src/agent/policy/shell/readingPlaces.ts',
    line: 'return false;',
    kind: 'nothing returned',
    why: 'it is only asked whether it is so',
  },
  {
    file: 'src/agent/policy/shell/lineWrites.ts',
    line: "const name = program?.split('/').at(-1) ?? '';",
    kind: 'some text',
    why: 'no program that writes is called so',
  },
  {
    file: 'src/agent/policy/shell/guardedCommands.ts',
    line: "if (Object.hasOwn(harmsOf, name) && harmsOf[name]?.test(operands[0] ?? '')) {",
    kind: 'some text',
    why: 'nothing that cannot be taken back is called so',
  },
  {
    file: 'src/agent/policy/shell/grammars.ts',
    line: "const [program = '', second = '', third = ''] = words.map(({ value }) => value ?? '');",
    kind: 'some text',
    why: 'no command that is known is called so',
  },
  {
    file: 'src/agent/policy/shell/readOnlyCommands.ts',
    line: "const value = tests[at]?.value ?? '';",
    kind: 'some text',
    why: 'no test of find is called so',
  },
  {
    file: 'src/agent/policy/shell/readCommands.ts',
    line: 'const rest = this.line.slice(this.at, this.at + 3);',
    kind: 'another number',
    why: 'no operator is longer',
  },
  {
    file: 'src/agent/policy/callJudge.ts',
    line: ": { outcome: 'planned', why: { kind: 'plan' } };",
    kind: 'empty text',
    was: "'planned'",
    why: 'a call that is neither free nor asked about is planned',
  },
];
