/** One server that may be added: what the user has chosen and entered for it. */
import { errorMessage } from '../../base/errors.js';
import { FieldDraft, readDraft } from '../../base/form/fieldDraft.js';
import { formField, isSecretField } from '../../base/form/fieldModel.js';
import { holdFields, readHeldFields, restoreFields } from '../../base/form/heldFields.js';
import { asObject, mapValues } from '../../base/json.js';
import type {
  AddedServer,
  AddRequests,
  InstallParams,
  InstallPreview,
  OfferDetails,
  OfferWay,
} from '../../protocol/add/addProtocol.js';
import type { MessageChannel } from '../../protocol/messages.js';
import { ComboState } from '../form/comboState.js';
import { problemTexts } from '../form/formWords.js';
import { NewestOnly } from '../shared/newestOnly.js';

export interface CardParts {
  readonly send: MessageChannel<AddRequests, never>['request'];
  readonly changed: () => void;
  readonly place: string;
  /** Of its fields: forms stand side by side. */
  readonly firstId: number;
}

export class AddCard {
  way: string;
  place: string;
  name: string;
  root: FieldDraft;
  readonly combo = new ComboState();
  /** Secrets that are to stand in the file. */
  readonly plain = new Set</* field */ string>();
  /** Fields whose troubles are shown: those that the user has left; after a try to add all are. */
  readonly left = new Set<string>();
  preview: InstallPreview | undefined;
  isAdding = false;
  error: string | undefined;
  added: AddedServer | undefined;
  private wasTried = false;
  private readonly previews = new NewestOnly<void>(() => this.readPreview());

  /** @param registryName of a server of the registry */
  constructor(
    readonly details: OfferDetails,
    private readonly parts: CardParts,
    readonly registryName?: string,
  ) {
    const usable = details.ways.find(({ blocker }) => blocker === undefined) ?? details.ways[0];
    this.way = usable?.id ?? '';
    this.place = parts.place;
    this.name = details.suggestedName;
    this.root = this.makeForm();
    this.requestPreview();
  }

  get chosen(): OfferWay | undefined {
    return this.details.ways.find(({ id }) => id === this.way);
  }

  chooseWay(way: string): void {
    if (this.details.ways.some(({ id }) => id === way)) {
      this.way = way;
      this.root = this.makeForm();
      this.left.clear();
      this.plain.clear();
      this.changed();
    }
  }

  edit({ name = this.name, place = this.place }: { readonly name?: string; place?: string }): void {
    this.name = name;
    this.place = place;
    this.changed();
  }

  /** @param isPlain it is to stand in the file */
  setPlain(field: string, isPlain: boolean): void {
    if (isPlain) {
      this.plain.add(field);
    } else {
      this.plain.delete(field);
    }
    this.changed();
  }

  leave(field: string): void {
    if (!this.left.has(field)) {
      this.left.add(field);
      this.parts.changed();
    }
  }

  /** Something was chosen or entered. */
  changed(): void {
    this.error = undefined;
    this.requestPreview();
    this.parts.changed();
  }

  /** By id of a field. */
  problems(): ReadonlyMap<number, readonly string[]> {
    const isShown = (field: string) => this.wasTried || this.left.has(field);
    return problemTexts(this.root, false, (field) =>
      isShown(field) ? this.trouble(field) : undefined,
    );
  }

  trouble(field: string): string | undefined {
    return this.preview?.troubles.find((one) => one.field === field)?.message;
  }

  /** @returns what was added; what stands in the way is shown. */
  async add(): Promise<AddedServer | undefined> {
    if (this.isAdding || this.added || this.chosen?.blocker !== undefined) {
      return undefined;
    }
    this.wasTried = true;
    this.isAdding = true;
    this.error = undefined;
    this.parts.changed();
    try {
      this.added = await this.parts.send('add', this.params());
    } catch (error) {
      this.error = errorMessage(error);
    }
    this.isAdding = false;
    this.parts.changed();
    return this.added;
  }

  /** @param error why nothing came of it; empty: something did */
  setAdding(isAdding: boolean, error = ''): void {
    this.isAdding = isAdding;
    this.error = error || undefined;
    this.parts.changed();
  }

  /** What may be written down: no secrets. */
  save(): unknown {
    const isOpen = ({ name }: { readonly name: string }) =>
      !isSecretField(name) &&
      this.root.children.some(({ field }) => field.name === name && !field.isSecret);
    return {
      title: this.details.title,
      way: this.way,
      place: this.place,
      name: this.name,
      fields: holdFields(this.root).filter(isOpen),
    };
  }

  /** Whatever it is, it was written by a page of ours, perhaps an older one. */
  restore(saved: unknown, places: readonly string[]): void {
    const { title, way, place, name, fields } = asObject(saved);
    if (title !== this.details.title) {
      return;
    }
    if (typeof way === 'string' && way !== this.way) {
      this.chooseWay(way);
    }
    restoreFields(this.root, readHeldFields(fields) ?? []);
    this.edit({
      name: typeof name === 'string' ? name : this.name,
      place: typeof place === 'string' && places.includes(place) ? place : this.place,
    });
  }

  private makeForm(): FieldDraft {
    return new FieldDraft(formField(this.chosen?.schema), {
      opened: 0,
      nextId: this.parts.firstId,
    });
  }

  private params(): InstallParams {
    const { value } = readDraft(this.root);
    return {
      id: this.details.id,
      way: this.way,
      place: this.place,
      name: this.name,
      answers: mapValues(asObject(value), answerText),
      plain: [...this.plain],
    };
  }

  private requestPreview(): void {
    if (!this.added && this.details.ways.length > 0) {
      this.previews.request();
    }
  }

  private async readPreview(): Promise<void> {
    try {
      this.preview = await this.parts.send('preview', this.params());
    } catch (error) {
      this.error = errorMessage(error);
    }
    this.parts.changed();
  }
}

/** Lists are answered a line each. */
function answerText(value: unknown): string {
  return Array.isArray(value) ? value.join('\n') : value === false ? '' : String(value);
}
