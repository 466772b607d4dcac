/** Logging in to providers of models through Pi, which keeps what comes of it in its own `auth.json`, or through the editor. */
import * as l10n from '@vscode/l10n';
import { CancellationError } from '../../base/async/cancellation.js';
import type { PiLoginInteraction } from '../pi/piModule.js';
import { editorProvider } from './editor/provider.js';
import type { Models } from './models.js';

/** `editor`: through the editor, which lends models of the provider. */
type LoginKind = 'api_key' | 'oauth' | 'editor';

/** One way into a provider. */
export interface LoginChoice {
  readonly provider: string;
  /** Such as `Anthropic`. */
  readonly name: string;
  readonly kind: LoginKind;
  /** What Pi calls this way, such as `Claude Pro/Max`. */
  readonly label: string;
  /** A login of this kind is kept. */
  readonly isStored: boolean;
}

export interface ModelLoginOptions {
  /** Loads Pi. @throws {HumanError} when it cannot be loaded. */
  readonly models: () => Promise<Models>;
  /** Takes up what changed. */
  readonly reload: () => Promise<void>;
}

export class ModelLogin {
  constructor(private readonly options: ModelLoginOptions) {}

  /** Sorted by provider; several ways into one follow each other. */
  async choices(): Promise<readonly LoginChoice[]> {
    const { runtime, editor } = await this.options.models();
    const stored = new Map(
      (await runtime.listCredentials()).map(({ providerId, type }) => [providerId, type]),
    );
    const own = runtime
      .getProviders()
      .filter(({ id }) => id !== editorProvider)
      .flatMap(({ id: provider, name, auth }): readonly LoginChoice[] => {
        const of = (kind: LoginKind, label: string) => ({
          provider,
          name,
          kind,
          label,
          isStored: stored.get(provider) === kind,
        });
        return [
          ...(auth.oauth ? [of('oauth', auth.oauth.loginLabel ?? auth.oauth.name)] : []),
          ...(auth.apiKey?.login ? [of('api_key', auth.apiKey.name)] : []),
        ];
      });
    const lent = (editor?.vendors ?? []).map(
      ({ vendor, vendorName, isAgreed }): LoginChoice => ({
        provider: vendor,
        name: vendorName,
        kind: 'editor',
        label: l10n.t('models of VS Code'),
        isStored: isAgreed,
      }),
    );
    return [...own, ...lent].sort((a, b) => a.name.localeCompare(b.name));
  }

  /** Rejects with what the provider said, or like the interaction when the user leaves. */
  async logIn({ provider, kind }: LoginChoice, interaction: PiLoginInteraction): Promise<void> {
    const { runtime, editor } = await this.options.models();
    if (kind !== 'editor') {
      await runtime.login(provider, kind, interaction);
    } else if ((await editor?.agreeTo(provider)) !== true) {
      throw new CancellationError();
    }
    await this.options.reload();
  }

  async logOut({ provider, kind }: LoginChoice): Promise<void> {
    const { runtime, editor } = await this.options.models();
    await (kind === 'editor' ? editor?.withdraw(provider) : runtime.logout(provider));
    await this.options.reload();
  }
}
