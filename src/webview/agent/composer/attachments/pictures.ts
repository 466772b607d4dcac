/** The images of messages, which the extension has; each is asked for once. */
import { html, type TemplateResult } from 'lit-html';
import type { PictureRef } from '../../../../protocol/attachments.js';
import { icon } from '../../../shared/icon.js';
import type { Send } from '../../pageState.js';

const maxKept = 60;
const imageAddress = /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]+$/;

export class Pictures {
  private readonly kept = new Map</* reference */ string, Promise<TemplateResult>>();

  constructor(private readonly send: Send) {}

  /** An image in the size of a thumbnail, or an icon where there is none; its words stand beside it. Never rejects. */
  thumbnail(ref: PictureRef): Promise<TemplateResult> {
    const key = JSON.stringify(ref);
    const known = this.kept.get(key);
    if (known) {
      return known;
    }
    const loading = this.load(ref);
    this.kept.set(key, loading);
    for (const oldest of [...this.kept.keys()].slice(0, -maxKept)) {
      this.kept.delete(oldest);
    }
    return loading;
  }

  private async load(ref: PictureRef): Promise<TemplateResult> {
    const src = await this.send('picture', ref).then(
      (reply) => reply.src,
      () => '',
    );
    return imageAddress.test(src)
      ? html`<img class="thumbnail" src=${src} alt="" />`
      : icon('file-media');
  }
}
