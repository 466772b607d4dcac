import { TestUser } from '../../fixtures/signIn.js';

/** Pages and redirects that a person follows before giving up. */
const maxSteps = 15;

/** A user who follows the pages of any authorization server: signs in, and allows or denies. */
export class BrowserUser extends TestUser {
  /** Every page that was looked at: what the user would see. */
  readonly pages: { readonly url: string; readonly status: number; readonly text: string }[] = [];
  /** Rewrites where the browser returns to, as an attacker between would. */
  tamper: (returnUrl: URL) => unknown = () => undefined;
  /** Of a browser that trusts other certificates than this process, for instance. */
  fetch: (url: string, init: RequestInit) => Promise<Response> = fetch;
  private readonly cookies = new Map</* host */ string, Map<string, string>>();

  /** Ends where the browser returned, or at a page that leads nowhere. */
  override async visit(start: URL): Promise<void> {
    const redirectUri = start.searchParams.get('redirect_uri');
    let next: Request | undefined = new Request(start);
    for (let step = 0; next && step < maxSteps; step++) {
      const url: URL = new URL(next.url);
      if (this.isReturn(url, redirectUri)) {
        await this.tamper(url);
        this.returns.push(url.href);
        await (await fetch(url)).text();
        return;
      }
      next = await this.step(next);
    }
  }

  /** Of a pushed request the address does not say where it returns to: that is never the server's own place. */
  private isReturn(url: URL, redirectUri: string | null): boolean {
    return redirectUri === null
      ? url.searchParams.has('state') && url.pathname.endsWith('/callback')
      : url.href.startsWith(redirectUri);
  }

  private async step(request: Request): Promise<Request | undefined> {
    const { host } = new URL(request.url);
    const jar = this.cookies.get(host) ?? new Map<string, string>();
    this.cookies.set(host, jar);
    const headers = new Headers(request.headers);
    headers.set('cookie', [...jar].map(([name, value]) => `${name}=${value}`).join('; '));
    headers.set('accept', 'text/html');
    // as browsers do when they navigate; whatever begins with `sec-fetch-` is written by `fetch` itself
    headers.set('upgrade-insecure-requests', '1');
    const { method, url } = request;
    const body = method === 'GET' ? null : await request.text();
    const response = await this.fetch(url, { method, headers, body, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      keep(jar, line);
    }
    const text = await response.text();
    const location = response.headers.get('location');
    if (location !== null) {
      return new Request(new URL(location, request.url));
    }
    this.pages.push({ url: request.url, status: response.status, text });
    return this.answer(text, request.url);
  }

  private answer(page: string, url: string): Request | undefined {
    const cancel = /<a href="([^"]+)">[^<]*Cancel/i.exec(page)?.[1];
    if (this.decision === 'deny' && cancel !== undefined) {
      return new Request(new URL(unescapeHtml(cancel), url));
    }
    const [, attributes, inner = ''] = /<form([^>]*)>([\s\S]*?)<\/form>/.exec(page) ?? [];
    if (attributes === undefined) {
      return undefined;
    }
    const form = new URLSearchParams();
    for (const field of tags(inner, 'input')) {
      if (field.name !== undefined) {
        form.append(field.name, field.value || (field.type === 'hidden' ? '' : 'someone'));
      }
    }
    const buttons = tags(inner, 'button').filter(({ name }) => name !== undefined);
    const isDenying = ({ value = '' }) => /deny|cancel|reject/i.test(value);
    const button = buttons.find((it) => isDenying(it) === (this.decision === 'deny'));
    if (button?.name !== undefined) {
      form.append(button.name, button.value ?? '');
    }
    const action = /action="([^"]*)"/.exec(attributes)?.[1] ?? '';
    const target = new URL(unescapeHtml(action), url);
    return new Request(target, { method: 'POST', body: form });
  }
}

function keep(jar: Map<string, string>, line: string): void {
  const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
  const [name = '', ...value] = pair.split('=');
  const isOver = attributes.some(
    (text) => /^max-age=0$/i.test(text) || /^expires=.*1970/i.test(text),
  );
  if (isOver || value.join('=') === '') {
    jar.delete(name);
  } else {
    jar.set(name, value.join('='));
  }
}

function tags(html: string, tag: string): readonly Record<string, string | undefined>[] {
  return [...html.matchAll(new RegExp(`<${tag}\\b([^>]*)>`, 'g'))].map(([, attributes = '']) =>
    Object.fromEntries(
      [...attributes.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name, value = '']) => [
        name,
        unescapeHtml(value),
      ]),
    ),
  );
}

function unescapeHtml(text: string): string {
  const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };
  return text
    .replace(/&#(\d+);/g, (_match, code) => String.fromCharCode(Number(code)))
    .replace(/&(amp|lt|gt|quot);/g, (_match, name) => named[name] ?? '');
}
