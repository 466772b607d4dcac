/** Logging in to providers of models through Pi, which keeps what comes of it in its own `auth.json`. */
import type { PiLoginInteraction } from '../pi/piModule.js';
import type { Models } from './models.js';

type LoginKind = 'api_key' | 'oauth';

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
    const { runtime } = await this.options.models();
    const stored = new Map(
      (await runtime.listCredentials()).map(({ providerId, type }) => [providerId, type]),
    );
    return runtime
      .getProviders()
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
      })
      .sort((a, b) => a.name.localeCompare(b.name));
  }

  /** Rejects with what the provider said, or like the interaction when the user leaves. */
  async logIn({ provider, kind }: LoginChoice, interaction: PiLoginInteraction): Promise<void> {
    const { runtime } = await this.options.models();
    await runtime.login(provider, kind, interaction);
    await this.options.reload();
  }

  async logOut({ provider }: LoginChoice): Promise<void> {
    const { runtime } = await this.options.models();
    await runtime.logout(provider);
    await this.options.reload();
  }
}
