/** What else the words of a request may mean: synonyms, forms that no rule shortens, and words that mean something together. */
import { lazy } from '../../../../base/async/once.js';
import { everydayWords } from './everydayWords.js';
import { synonymGroups } from './synonymGroups.js';
import { stemOf } from './vocabulary.js';

/** Words of several forms that no rule shortens. */
const irregularForms = `
said says saying:say; wrote written:write; made:make; sent:send; bought:buy; sold:sell; paid:pay;
found:find; took taken:take; gave given:give; told:tell; broke broken:break; ran:run;
drew drawn:draw; got gotten:get; went gone:go; saw seen:see; kept:keep; lost:lose; met:meet;
held:hold; spoke spoken:speak; thrown threw:throw; chose chosen:choose; indices indexes:index;
people:person; children:child
`;

export interface Synonym {
  readonly stem: string;
  /** Each of the two may stand for the other one. */
  readonly isMutual: boolean;
}

/** What tools may say for a word of this stem. */
export function synonymsOf(stem: string): readonly Synonym[] {
  const { found } = tables();
  const known = found.get(stem) ?? findSynonyms(stem);
  if (known.length > 0) {
    found.set(stem, known);
  }
  return known;
}

export function baseFormOf(word: string): string {
  return tables().baseForms.get(word) ?? word;
}

/** Read with the first search, which not every session has. */
const tables = lazy(() => {
  const baseForms = new Map<string, string>();
  for (const [forms = '', base = ''] of entriesOf(irregularForms, ':')) {
    for (const form of forms.split(' ')) {
      baseForms.set(form, base);
    }
  }
  const groups = entriesOf(`${synonymGroups.trim()};${everydayWords}`, ' > ').map(
    ([asked = '', named]) => ({
      asked: asked.split(' '),
      named: named?.split(' '),
    }),
  );
  const found = new Map</* stem */ string, readonly Synonym[]>();
  return { baseForms, groups, found };
});

/** Looks at every group, since to stem the whole table takes as long as hundreds of searches. */
function findSynonyms(stem: string): readonly Synonym[] {
  const found = new Map<string, Synonym>();
  for (const { asked, named } of tables().groups) {
    if (!asked.some((word) => word.startsWith(stem.slice(0, 2)) && stemOf(word) === stem)) {
      continue;
    }
    for (const word of named ?? asked) {
      const other = stemOf(word);
      if (other !== stem) {
        const isMutual = named === undefined || found.get(other)?.isMutual === true;
        found.set(other, { stem: other, isMutual });
      }
    }
  }
  return [...found.values()];
}

function entriesOf(table: string, separator: string): readonly (readonly string[])[] {
  return table
    .trim()
    .split(/;\s*/)
    .map((entry) => entry.split(separator));
}
