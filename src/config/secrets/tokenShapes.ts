/** What tokens look like whose issuers gave them a shape of their own. The one list of them. */

export interface TokenShape {
  readonly service: string;
  /** Of a regular expression; what may be long stands at its end, so that each beginning is looked at once. */
  readonly pattern: string;
  /** Where the issuer shows the shape. */
  readonly source: string;
}

const shape = (service: string, pattern: string, source: string): TokenShape => ({
  service,
  pattern,
  source,
});

const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
// a name such as `sk-very-long-name` has no digits
const withDigit = '(?=[\\w-]{0,60}\\d)';

const models: readonly TokenShape[] = [
  shape(
    'OpenAI',
    `sk-(?:${withDigit}[\\w-]{16,}|[A-Za-z]{20,})`,
    'https://platform.openai.com/docs/api-reference',
  ),
  shape(
    'Anthropic',
    'sk-ant-[a-z]{2,8}\\d{2}-[\\w-]{20,}',
    'https://docs.anthropic.com/en/api/overview',
  ),
  shape('OpenRouter', 'sk-or-v\\d-[0-9a-f]{32,}', 'https://openrouter.ai/docs/api-reference'),
  shape('Groq', 'gsk_[A-Za-z0-9]{32,}', 'https://console.groq.com/docs/quickstart'),
  shape('xAI', 'xai-[A-Za-z0-9]{32,}', 'https://docs.x.ai/docs/tutorial'),
  shape('Perplexity', 'pplx-[A-Za-z0-9]{32,}', 'https://docs.perplexity.ai/guides/getting-started'),
  shape('Hugging Face', 'hf_[A-Za-z0-9]{30,}', 'https://huggingface.co/docs/hub/security-tokens'),
  shape(
    'Replicate',
    'r8_[A-Za-z0-9]{32,}',
    'https://replicate.com/docs/topics/security/api-tokens',
  ),
  shape('Together AI', 'tgp_v\\d_[\\w-]{32,}', 'https://docs.together.ai/docs/quickstart'),
  shape('Fireworks AI', 'fw_[A-Za-z0-9]{20,}', 'https://docs.fireworks.ai/getting-started'),
  shape(
    'ElevenLabs',
    'sk_[0-9a-f]{40,}',
    'https://elevenlabs.io/docs/api-reference/authentication',
  ),
  shape('Jina AI', 'jina_[A-Za-z0-9_-]{32,}', 'https://jina.ai/reader'),
  shape('Pinecone', 'pcsk_\\w{32,}', 'https://docs.pinecone.io/guides/projects/manage-api-keys'),
  shape(
    'LangSmith',
    'lsv2_(?:pt|sk)_[0-9a-f_]{32,}',
    'https://docs.smith.langchain.com/administration',
  ),
];

const searching: readonly TokenShape[] = [
  shape('Tavily', 'tvly-[\\w-]{20,}', 'https://docs.tavily.com/documentation/quickstart'),
  shape('Firecrawl', 'fc-[0-9a-f]{32}', 'https://docs.firecrawl.dev/introduction'),
  shape('Brave Search', 'BSA[\\w-]{24,}', 'https://api-dashboard.search.brave.com/documentation'),
  shape('Apify', 'apify_api_[A-Za-z0-9]{30,}', 'https://docs.apify.com/platform/integrations/api'),
  shape('Browserbase', 'bb_(?:live|test)_[\\w-]{20,}', 'https://docs.browserbase.com/introduction'),
  shape('E2B', 'e2b_[0-9a-f]{32,}', 'https://e2b.dev/docs/api-key'),
  shape('Context7', 'ctx7sk-[\\w-]{20,}', 'https://context7.com/docs/howto/api-keys'),
];

const code: readonly TokenShape[] = [
  shape(
    'GitHub',
    '(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\\w{20,})',
    'https://github.blog/2021-04-05-behind-githubs-new-authentication-token-formats/',
  ),
  shape(
    'GitLab',
    'gl(?:pat|oas|dt|rt|cbt|ptt|ft|imt|agent|wt|soat|ffct)-[\\w.-]{16,}',
    'https://docs.gitlab.com/security/tokens/#token-prefixes',
  ),
  shape(
    'Atlassian',
    'AT(?:ATT|CTT|OATT)3[\\w=-]{40,}',
    'https://support.atlassian.com/atlassian-account/docs/manage-api-tokens-for-your-atlassian-account/',
  ),
  shape(
    'Bitbucket',
    'ATBB[A-Za-z0-9]{24,}',
    'https://support.atlassian.com/bitbucket-cloud/docs/app-passwords/',
  ),
  shape('npm', 'npm_[A-Za-z0-9]{30,}', 'https://docs.npmjs.com/about-access-tokens'),
  shape('PyPI', 'pypi-[\\w-]{50,}', 'https://pypi.org/help/#apitoken'),
  shape('RubyGems', 'rubygems_[0-9a-f]{40,}', 'https://guides.rubygems.org/api-key-scopes/'),
  shape('Docker', 'dckr_[op]at_[\\w-]{20,}', 'https://docs.docker.com/security/access-tokens/'),
  shape('CircleCI', 'CCI(?:PAT|PRJ)_\\w{20,}', 'https://circleci.com/docs/managing-api-tokens/'),
  shape(
    'Buildkite',
    'bk[a-z]{1,3}_[A-Za-z0-9]{32,}',
    'https://buildkite.com/docs/apis/managing-api-tokens',
  ),
  shape(
    'SonarQube',
    'sq[upa]_[0-9a-f]{40}',
    'https://docs.sonarsource.com/sonarqube-server/user-guide/managing-tokens',
  ),
  shape(
    'Postman',
    'PMAK-[0-9a-f]{24}-[0-9a-f]{34}',
    'https://learning.postman.com/docs/developer/postman-api/authentication/',
  ),
];

const clouds: readonly TokenShape[] = [
  shape(
    'Amazon Web Services',
    '(?:(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}|ABSK[A-Za-z0-9+/]{40,}={0,2})',
    'https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html',
  ),
  shape(
    'Google',
    '(?:AIza[\\w-]{35}|GOCSPX-[\\w-]{20,}|ya29\\.[\\w-]{20,}|1//0[\\w-]{30,})',
    'https://cloud.google.com/docs/authentication/api-keys',
  ),
  shape(
    'Microsoft Entra',
    '\\w{3}8Q~[\\w~.-]{30,}',
    'https://learn.microsoft.com/en-us/purview/sit-defn-azure-ad-client-secret',
  ),
  shape(
    'Cloudflare',
    'cf(?:k|ut|at)_[A-Za-z0-9]{40,}',
    'https://developers.cloudflare.com/fundamentals/api/get-started/token-formats',
  ),
  shape(
    'DigitalOcean',
    'do[opr]_v1_[0-9a-f]{64}',
    'https://docs.digitalocean.com/reference/api/create-personal-access-token/',
  ),
  shape('Heroku', 'HRKU-[\\w-]{30,}', 'https://devcenter.heroku.com/articles/authentication'),
  shape('Vercel', 'vc[aikpr]_[A-Za-z0-9]{24,}', 'https://vercel.com/docs/accounts/access-tokens'),
  shape('Netlify', 'nf[a-z]_[A-Za-z0-9]{36,}', 'https://docs.netlify.com/api/get-started/'),
  shape('Fly.io', 'fm\\d[a-z]?_[\\w+/=-]{32,}', 'https://fly.io/docs/security/tokens/'),
  shape('Render', 'rnd_[A-Za-z0-9]{28,}', 'https://render.com/docs/api'),
  shape(
    'HashiCorp',
    '(?:hv[sbr]\\.[\\w-]{20,}|[A-Za-z0-9]{14}\\.atlasv1\\.[\\w-]{40,})',
    'https://developer.hashicorp.com/vault/docs/concepts/tokens',
  ),
  shape(
    'Pulumi',
    'pul-[0-9a-f]{40}',
    'https://www.pulumi.com/docs/administration/access-identity/access-tokens/',
  ),
  shape(
    'Doppler',
    'dp\\.[a-z]{2,6}\\.(?:[a-z0-9_-]{2,35}\\.)?[A-Za-z0-9]{40,}',
    'https://docs.doppler.com/reference/auth-token-formats',
  ),
  shape(
    '1Password',
    'ops_eyJ[\\w=+/-]{40,}',
    'https://developer.1password.com/docs/service-accounts/',
  ),
  shape(
    'Tailscale',
    'tskey-[a-z]{2,12}-[A-Za-z0-9-]{12,}',
    'https://tailscale.com/kb/1277/key-prefixes',
  ),
  shape(
    'Alibaba Cloud',
    'LTAI[A-Za-z0-9]{12,}',
    'https://www.alibabacloud.com/help/en/ram/user-guide/create-an-accesskey-pair',
  ),
];

const data: readonly TokenShape[] = [
  shape(
    'Supabase',
    'sb(?:p_\\w{32,}|_secret_[\\w-]{20,})',
    'https://supabase.com/docs/guides/api/api-keys',
  ),
  shape('Neon', 'napi_[a-z0-9]{40,}', 'https://neon.com/docs/manage/api-keys'),
  shape(
    'PlanetScale',
    'pscale_(?:tkn|oauth|pw)_[\\w.-]{32,}',
    'https://planetscale.com/docs/concepts/service-tokens',
  ),
  shape(
    'MongoDB Atlas',
    'mdb_sa_sk_[\\w-]{32,}',
    'https://www.mongodb.com/docs/atlas/api/service-accounts-overview/',
  ),
  shape('Databricks', 'dapi[0-9a-f]{32}', 'https://docs.databricks.com/en/dev-tools/auth/pat.html'),
  shape(
    'Airtable',
    'pat[A-Za-z0-9]{14}\\.[0-9a-f]{64}',
    'https://airtable.com/developers/web/guides/personal-access-tokens',
  ),
  shape(
    'Contentful',
    'CFPAT-[\\w-]{40,}',
    'https://www.contentful.com/developers/docs/references/authentication/',
  ),
  shape('Sentry', 'sntry[su]_[\\w=+/-]{40,}', 'https://docs.sentry.io/account/auth-tokens/'),
  shape(
    'Grafana',
    'gl(?:sa_[A-Za-z0-9]{32}_[0-9a-f]{8}|c_eyJ[\\w=+/-]{32,})',
    'https://grafana.com/docs/grafana/latest/administration/service-accounts/',
  ),
  shape(
    'New Relic',
    'NRAK-[A-Z0-9]{27}',
    'https://docs.newrelic.com/docs/apis/intro-apis/new-relic-api-keys/',
  ),
  shape('PostHog', 'ph[xs]_[A-Za-z0-9]{32,}', 'https://posthog.com/docs/api'),
  shape(
    'Dynatrace',
    'dt0[a-z]\\d{2}\\.[A-Z0-9]{24}\\.[A-Z0-9]{64}',
    'https://docs.dynatrace.com/docs/dynatrace-api/basics/dynatrace-api-authentication',
  ),
];

const work: readonly TokenShape[] = [
  shape(
    'Slack',
    '(?:xox[a-z](?:\\.xox[a-z])?-[\\w-]{10,}|xapp-[\\w-]{16,}|hooks\\.slack\\.com/(?:services|workflows|triggers)/[\\w/]{20,})',
    'https://docs.slack.dev/authentication/tokens',
  ),
  shape(
    'Discord',
    '(?:[MNO][\\w-]{23,27}\\.[\\w-]{6}\\.[\\w-]{27,}|discord(?:app)?\\.com/api/webhooks/\\d{15,22}/[\\w-]{40,})',
    'https://discord.com/developers/docs/reference#authentication',
  ),
  shape(
    'Telegram',
    '\\d{8,10}:[\\w-]{35}',
    'https://core.telegram.org/bots/api#authorizing-your-bot',
  ),
  shape('Linear', 'lin_(?:api|oauth|wh)_\\w{30,}', 'https://linear.app/developers/graphql'),
  shape(
    'Notion',
    '(?:ntn_\\w{30,}|secret_[A-Za-z0-9]{43})',
    'https://developers.notion.com/docs/authorization',
  ),
  shape('Figma', 'fig[dour]_[\\w-]{36,}', 'https://www.figma.com/developers/api#access-tokens'),
  shape(
    'ClickUp',
    'pk_\\d{5,12}_[A-Z0-9]{32}',
    'https://developer.clickup.com/docs/authentication',
  ),
  shape(
    'Asana',
    '[12]/\\d{12,20}(?:/\\d{12,20})?:[0-9a-f]{32}',
    'https://developers.asana.com/docs/personal-access-token',
  ),
  shape(
    'HubSpot',
    `pat-[a-z]{2}\\d-${uuid}`,
    'https://developers.hubspot.com/docs/guides/apps/private-apps/overview',
  ),
  shape(
    'Typeform',
    'tfp_[\\w-]{40,}',
    'https://www.typeform.com/developers/get-started/personal-access-token/',
  ),
  shape(
    'Dropbox',
    'sl\\.(?:u\\.)?[\\w-]{60,}',
    'https://www.dropbox.com/developers/documentation/http/documentation',
  ),
];

const trade: readonly TokenShape[] = [
  shape(
    'Stripe',
    '(?:[sr]k_(?:live|test|org)_\\w{16,}|whsec_[\\w+/=]{24,})',
    'https://docs.stripe.com/keys',
  ),
  shape(
    'Shopify',
    'shp(?:at|ca|pa|ss|tka)_[0-9A-Fa-f]{32}',
    'https://shopify.dev/docs/apps/build/authentication-authorization/access-tokens',
  ),
  shape(
    'Square',
    '(?:sq0(?:atp|csp)-[\\w-]{22,}|EAAA[\\w-]{60,})',
    'https://developer.squareup.com/docs/build-basics/access-tokens',
  ),
  shape(
    'PayPal',
    'access_token\\$(?:production|sandbox)\\$[0-9a-z]{16}\\$[0-9a-f]{32}',
    'https://developer.paypal.com/braintree/docs/guides/authorization',
  ),
  shape(
    'Plaid',
    `access-(?:sandbox|development|production)-${uuid}`,
    'https://plaid.com/docs/api/items/',
  ),
  shape('Twilio', 'SK[0-9a-f]{32}', 'https://www.twilio.com/docs/iam/api-keys'),
  shape(
    'SendGrid',
    'SG\\.[\\w-]{16,32}\\.[\\w-]{16,}',
    'https://www.twilio.com/docs/sendgrid/ui/account-and-settings/api-keys',
  ),
  shape(
    'Mailgun',
    'key-[0-9a-f]{32}',
    'https://documentation.mailgun.com/docs/mailgun/api-reference/mg-auth',
  ),
  shape(
    'Mailchimp',
    '[0-9a-f]{32}-us\\d{1,2}',
    'https://mailchimp.com/developer/marketing/guides/quick-start/',
  ),
  shape(
    'Brevo',
    'xkeysib-[0-9a-f]{64}-\\w{16}',
    'https://developers.brevo.com/docs/getting-started',
  ),
  shape(
    'Resend',
    're_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}',
    'https://resend.com/docs/dashboard/api-keys/introduction',
  ),
  shape(
    'Meta',
    'EAA[A-Za-z0-9]{90,}',
    'https://developers.facebook.com/docs/facebook-login/guides/access-tokens',
  ),
  shape(
    'Mapbox',
    '[st]k\\.eyJ[\\w-]{20,200}\\.[\\w-]{20,}',
    'https://docs.mapbox.com/help/getting-started/access-tokens/',
  ),
];

const keys: readonly TokenShape[] = [
  shape(
    'a private key',
    '-----BEGIN [A-Z0-9 ]{0,24}PRIVATE KEY(?: BLOCK)?-----[^-]*',
    'https://www.rfc-editor.org/rfc/rfc7468',
  ),
  shape('age', 'AGE-SECRET-KEY-1[A-Z0-9]{50,}', 'https://age-encryption.org/v1'),
];

export const tokenShapes: readonly TokenShape[] = [
  ...models,
  ...searching,
  ...code,
  ...clouds,
  ...data,
  ...work,
  ...trade,
  ...keys,
];
