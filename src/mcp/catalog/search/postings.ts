import { type ActionMask, actionOf } from './reading/actions.js';
import { fields, nameField, readToolText, type SearchableTool } from './reading/toolText.js';
import { Vocabulary } from './reading/vocabulary.js';

/** Bits of a place that hold the field; the others hold the tool's index. */
export const fieldBits = 3;

/** Words of a tool that say something; more make the arrays grow. */
const usualWords = 48;

/** Where each term occurs. Flat arrays: thousands of tools are read within one frame. */
export interface Postings {
  readonly vocabulary: Vocabulary;
  /** Places in the order of their terms; those of term t are from `starts[t]` to `starts[t + 1]`, by tool. */
  readonly places: Int32Array;
  readonly starts: Int32Array;
  /** By place: what one occurrence there counts. */
  readonly hitWeights: Float32Array;
  /** By tool: what it does, by its name. */
  readonly actions: Uint8Array;
}

export function buildPostings(tools: readonly SearchableTool[]): Postings {
  const reader = new TokenReader(tools.length);
  for (const tool of tools) {
    reader.read(tool);
  }
  const { vocabulary, lengths, actions } = reader;
  const hitWeights = weighFields(lengths, actions.length);
  return { vocabulary, ...groupByTerm(reader), hitWeights, actions };
}

/** Where the terms of a text stand since it was read. */
interface ReadText {
  readonly first: number;
  readonly end: number;
}

class TokenReader {
  readonly vocabulary = new Vocabulary();
  readonly lengths: Uint16Array;
  terms: Int32Array<ArrayBuffer>;
  places: Int32Array<ArrayBuffer>;
  readonly actions: Uint8Array;
  count = 0;
  private toolCount = 0;
  private firstPlace = 0;
  private place = 0;
  /** Where a text begins of which a word counts once; -1: each one counts. */
  private firstOfSet = -1;
  /** Many tools have the names and the texts of their parameters in common, and those of a server its purpose. */
  private readonly lists = new Map</* text */ string, ReadText>();
  private readonly sets = new Map</* text */ string, ReadText>();
  private readonly actionsByTerm: (ActionMask | undefined)[] = [];

  constructor(toolCount: number) {
    this.lengths = new Uint16Array(toolCount << fieldBits);
    this.actions = new Uint8Array(toolCount);
    this.terms = new Int32Array(256 + toolCount * usualWords);
    this.places = new Int32Array(256 + toolCount * usualWords);
  }

  read(tool: SearchableTool): void {
    this.firstPlace = this.toolCount << fieldBits;
    readToolText(tool, this.addText);
    this.toolCount++;
  }

  private readonly addText = (field: number, text: string, length: number): void => {
    this.place = this.firstPlace | field;
    const first = this.count;
    const isSet = fields[field]?.isSet === true;
    const known = text.length > length ? undefined : isSet ? this.sets : this.lists;
    const before = known?.get(text);
    if (before !== undefined) {
      this.addAgain(before);
    } else {
      this.firstOfSet = isSet ? first : -1;
      this.vocabulary.read(text, length, this.addTerms);
      known?.set(text, { first, end: this.count });
    }
    if (field === nameField) {
      this.readAction(first);
    }
  };

  private addAgain({ first, end }: ReadText): void {
    for (let index = first; index < end; index++) {
      this.add(this.terms[index] as number, this.place);
    }
  }

  private readonly addTerms = (terms: readonly number[]): void => {
    for (let at = 0; at < terms.length; at++) {
      const term = terms[at] as number;
      if (this.firstOfSet < 0 || !this.isAdded(term, this.firstOfSet)) {
        this.add(term, this.place);
      }
    }
  };

  private isAdded(term: number, first: number): boolean {
    for (let index = first; index < this.count; index++) {
      if (this.terms[index] === term) {
        return true;
      }
    }
    return false;
  }

  /** The first verb of the name tells. */
  private readAction(first: number): void {
    for (let index = first; index < this.count; index++) {
      const term = this.terms[index] as number;
      this.actionsByTerm[term] ??= actionOf(this.vocabulary.stems[term] as string);
      const action = this.actionsByTerm[term] as ActionMask;
      if (action !== 0) {
        this.actions[this.firstPlace >> fieldBits] = action;
        return;
      }
    }
  }

  private add(term: number, place: number): void {
    const { count } = this;
    if (count === this.terms.length) {
      this.terms = doubled(this.terms);
      this.places = doubled(this.places);
    }
    this.terms[count] = term;
    this.places[count] = place;
    this.count = count + 1;
    (this.lengths[place] as number)++;
  }
}

function doubled(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2);
  larger.set(array);
  return larger;
}

function groupByTerm({ terms, places, count, vocabulary }: TokenReader) {
  const starts = new Int32Array(vocabulary.stems.length + 1);
  for (let index = 0; index < count; index++) {
    (starts[(terms[index] as number) + 1] as number)++;
  }
  for (let term = 1; term < starts.length; term++) {
    (starts[term] as number) += starts[term - 1] as number;
  }
  const next = starts.slice();
  const grouped = new Int32Array(count);
  for (let index = 0; index < count; index++) {
    const term = terms[index] as number;
    const slot = next[term] as number;
    next[term] = slot + 1;
    grouped[slot] = places[index] as number;
  }
  return { starts, places: grouped };
}

function weighFields(lengths: Uint16Array, toolCount: number): Float32Array {
  const weights = new Float32Array(lengths.length);
  for (const [field, { weight, dilution }] of fields.entries()) {
    let total = 0;
    let present = 0;
    for (let tool = 0; tool < toolCount; tool++) {
      const length = lengths[(tool << fieldBits) | field] as number;
      total += length;
      present += length > 0 ? 1 : 0;
    }
    const average = present > 0 ? total / present : 1;
    for (let tool = 0; tool < toolCount; tool++) {
      const place = (tool << fieldBits) | field;
      const length = lengths[place] as number;
      weights[place] = weight / (1 - dilution + (dilution * length) / average);
    }
  }
  return weights;
}
