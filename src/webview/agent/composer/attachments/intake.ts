/** What is pasted or dropped: pictures and files become attachments, long texts too, and the rest stays text. */
import * as l10n from '@vscode/l10n';
import { judgeImage, maxImageBytes } from '../../../../base/pictures/acceptedImage.js';
import { headerBytes, readImageHeader } from '../../../../base/pictures/imageHeader.js';
import { asMessage } from '../../../../base/text/commandLine.js';
import type { PageFile } from '../../../../protocol/attachments.js';
import { type PageAccess, refusalOf, type Send } from '../../pageState.js';
import { shrunk } from './shrink.js';

/** A longer paste is attached. */
const maxPastedLength = 3_000;
const maxPastedLines = 40;
/** At once. */
const maxFiles = 20;

/** A message that the user changes. */
export interface IntakeTarget {
  /** As the extension knows it. */
  readonly into: string;
  /** Adds to its words. */
  readonly join: (text: string) => void;
}

export class Intake {
  private readonly of: { readonly into?: string };

  /** @param target default: the next message */
  constructor(
    private readonly page: PageAccess,
    private readonly target?: IntakeTarget,
  ) {
    this.of = target ? { into: target.into } : {};
  }

  /** Files before text: what is copied of a picture often has both. */
  paste(event: ClipboardEvent): void {
    const files = [...(event.clipboardData?.files ?? [])];
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (files.length > 0) {
      event.preventDefault();
      void this.attachFiles(files);
    } else if (isLong(text)) {
      event.preventDefault();
      void this.attachText(text);
    }
  }

  /** Until a page says that it takes what is dragged, VS Code keeps it from the page. */
  drag(event: DragEvent): void {
    event.preventDefault();
    if (event.dataTransfer) {
      event.dataTransfer.dropEffect = 'copy';
    }
    if (!this.page.state.isDropTarget) {
      this.page.change({ isDropTarget: true });
    }
  }

  endDrag(): void {
    if (this.page.state.isDropTarget) {
      this.page.change({ isDropTarget: false });
    }
  }

  drop(event: DragEvent): void {
    event.preventDefault();
    this.endDrag();
    const { dataTransfer } = event;
    const files = [...(dataTransfer?.files ?? [])];
    const uris = dataTransfer ? droppedUris(dataTransfer) : [];
    if (files.length > 0) {
      void this.attachFiles(files);
    } else if (uris.length > 0) {
      void this.attach((send) => send('attachUris', { uris, ...this.of }));
    } else {
      this.join(dataTransfer?.getData('text/plain') ?? '');
    }
  }

  /** A pasted text becomes what it was. */
  async takeText(id: string): Promise<void> {
    await this.page.run(async (send) => {
      const { text } = await send('takeText', { id, ...this.of });
      this.join(text);
    });
  }

  /** Lets the user choose them. */
  async chooseFiles(): Promise<void> {
    await this.attach((send) => send('chooseFiles', this.of));
  }

  private join(text: string): void {
    const { draft } = this.page.state;
    if (text !== '' && this.target) {
      this.target.join(text);
    } else if (text !== '') {
      const joined = asMessage(draft === '' ? text : `${draft}\n${text}`);
      this.page.change({ draft: joined, refusal: undefined });
    }
  }

  private async attachText(text: string): Promise<void> {
    await this.attach((send) => send('attachText', { text, ...this.of }));
  }

  private async attachFiles(files: readonly File[]): Promise<void> {
    const read = await Promise.all(files.slice(0, maxFiles).map(readFile));
    const taken = read.filter((one) => typeof one !== 'string');
    const refused = [
      ...read.filter((one) => typeof one === 'string'),
      ...(files.length > maxFiles ? [l10n.t('Nothing more can be attached.')] : []),
    ];
    await this.attach(
      async (send) =>
        taken.length > 0 ? send('attachFiles', { files: taken, ...this.of }) : { refused: [] },
      refused,
    );
  }

  private async attach(
    work: (send: Send) => Promise<{ readonly refused: readonly string[] }>,
    before: readonly string[] = [],
  ): Promise<void> {
    this.page.change({ refusal: refusalOf(before) });
    await this.page.run(async (send) => {
      const { refused } = await work(send);
      this.page.change({ refusal: refusalOf([...before, ...refused]) });
    });
  }
}

function isLong(text: string): boolean {
  return (
    text.length > maxPastedLength || text.split('\n', maxPastedLines + 1).length > maxPastedLines
  );
}

/** @returns why it is not taken, as a sentence, where its first bytes already say so */
async function readFile(file: File): Promise<PageFile | string> {
  const { name, size } = file;
  if (size > maxImageBytes) {
    return l10n.t('{0} is larger than {1}.', name, '10 MB');
  }
  try {
    const start = new Uint8Array(await file.slice(0, headerBytes).arrayBuffer());
    const verdict = judgeImage(start, size);
    if (verdict.kind === 'refused' && verdict.reason === 'pixels') {
      return l10n.t('{0} has too many pixels.', name);
    }
    const header = verdict.kind === 'image' ? readImageHeader(start) : undefined;
    return { name, data: await base64Of(header ? await shrunk(file, header) : file) };
  } catch {
    // a folder, or a file that has gone
    return l10n.t('{0} cannot be read.', name);
  }
}

async function base64Of(file: Blob): Promise<string> {
  const reader = new FileReader();
  await new Promise((resolve, reject) => {
    reader.onload = resolve;
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
  const address = String(reader.result);
  return address.slice(address.indexOf(',') + 1);
}

/** Every address that was dropped; those of web pages are text. */
function droppedUris(dropped: DataTransfer): readonly string[] {
  const has = (type: string) => dropped.types.includes(type);
  const [list] = ['application/vnd.code.uri-list', 'text/uri-list'].filter(has);
  const lines = list === undefined ? [] : dropped.getData(list).split(/\r?\n/);
  return lines.filter((line) => line !== '' && !line.startsWith('#') && !/^https?:/i.test(line));
}
