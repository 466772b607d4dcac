/** What the user has put into the forms of servers, until they are answered. */
import { type DraftProblem, FieldDraft, readDraft } from '../../base/form/fieldDraft.js';
import { holdFields, restoreFields } from '../../base/form/heldFields.js';
import { isJsonObject } from '../../base/json.js';
import type {
  FormAction,
  FormQuestionView,
  QuestionCards,
} from '../../protocol/tools/questions.js';
import { ComboState } from '../form/comboState.js';
import { fieldId } from '../form/formContext.js';
import { problemTexts } from '../form/formWords.js';
import { focusLater } from '../shared/inputs.js';
import type { CardSender } from './cardSender.js';

/** Forms may stand side by side, and each control has an id. */
const idsOfForm = 10_000;
/** A form that is out of sight may come back. */
const maxKept = 20;

export interface FormAnswer {
  readonly root: FieldDraft;
  readonly combo: ComboState;
  /** The user has tried to send it: what is missing is shown from then on. */
  wasTried: boolean;
  isSending: boolean;
  /** What the extension found wrong with what was sent last. */
  refused: ReadonlyMap</* field name */ string, string>;
}

export class FormAnswers {
  private readonly answers = new Map</* question id */ string, FormAnswer>();
  private count = 0;

  /** @param redraw what was put in or found wrong has changed */
  constructor(
    private readonly sender: CardSender,
    private readonly redraw: () => void,
  ) {}

  of({ id, fields, held }: FormQuestionView): FormAnswer {
    const known = this.answers.get(id);
    if (known) {
      return known;
    }
    const answer: FormAnswer = {
      root: new FieldDraft(
        {
          kind: 'object',
          name: '',
          title: '',
          isRequired: true,
          properties: () => fields,
          others: undefined,
          invitesOthers: false,
        },
        { opened: 0, nextId: ++this.count * idsOfForm },
      ),
      combo: new ComboState(),
      wasTried: false,
      isSending: false,
      refused: new Map(),
    };
    restoreFields(answer.root, held ?? []);
    this.answers.set(id, answer);
    return answer;
  }

  /** Those that were put away longest ago are forgotten. */
  receive({ forms }: Pick<QuestionCards, 'forms'>): void {
    const open = new Set(forms.map(({ id }) => id));
    const away = [...this.answers.keys()].filter((id) => !open.has(id));
    for (const id of away.slice(0, Math.max(0, away.length - maxKept))) {
      this.answers.delete(id);
    }
  }

  /** By id of a draft. */
  problems(question: FormQuestionView): ReadonlyMap<number, readonly string[]> {
    const { root, wasTried, refused } = this.of(question);
    return problemTexts(root, wasTried, (field) => refused.get(field));
  }

  /** A draft has changed: what was found wrong may be right now. */
  changed(question: FormQuestionView): void {
    const answer = this.of(question);
    answer.refused = new Map();
    // no page outlives everything
    void this.sender.hold(question.id, holdFields(answer.root));
    this.redraw();
  }

  async end(question: FormQuestionView, action: FormAction): Promise<void> {
    const answer = this.of(question);
    if (answer.isSending) {
      return;
    }
    const { value, problems: own } = readDraft(answer.root);
    if (action === 'accept' && own.length > 0) {
      answer.wasTried = true;
      this.redraw();
      goTo(own[0]);
      return;
    }
    answer.isSending = true;
    this.redraw();
    const content = action === 'accept' && isJsonObject(value) ? value : undefined;
    const problems = await this.sender.answer(question.id, action, content);
    answer.refused = new Map(problems.map(({ field, text }) => [field, text]));
    answer.isSending = false;
    this.redraw();
    const wrong = answer.root.children.find(({ field }) => answer.refused.has(field.name));
    focusLater(wrong ? `#${fieldId(wrong)}` : '#composer-text');
  }
}

function goTo(problem: DraftProblem | undefined): void {
  if (problem) {
    focusLater(`#${fieldId(problem.draft)}`);
  }
}
