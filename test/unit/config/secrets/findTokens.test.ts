import { expect, it } from 'vitest';
import { findTokens, tokenService } from '../../../../src/config/secrets/findTokens.js';
import { maskText } from '../../../../src/config/secrets/secretMask.js';
import { tokenShapes } from '../../../../src/config/secrets/tokenShapes.js';

const hex = (length: number) => '0f1e2d3c4b5a6978'.repeat(8).slice(0, length);
const text = (length: number) => 'aB3dE5fG7hJ9kL1mN3pQ5rS7'.repeat(8).slice(0, length);
const large = (length: number) => 'AB3DE5FG7HJ9KL1MN3PQ5RS7'.repeat(8).slice(0, length);
const small = (length: number) => text(length).toLowerCase();
const uuid = '7f3b9c1e-4d2a-4c8b-9e1f-0a2b3c4d5e6f';

/** As their issuers show them; put together here, so that nobody takes them for real ones. */
const tokens: readonly (readonly [service: string, ...parts: string[]])[] = [
  ['OpenAI', 'sk-', text(48)],
  ['OpenAI', 'sk-proj-', text(74), '_', text(40), '-', text(20)],
  ['Anthropic', 'sk-ant-', 'api03-', text(40), '-', text(50), 'AA'],
  ['OpenRouter', 'sk-or-', 'v1-', hex(64)],
  ['Groq', 'gsk_', text(52)],
  ['xAI', 'xai-', text(80)],
  ['Perplexity', 'pplx-', text(48)],
  ['Hugging Face', 'hf_', text(34)],
  ['Replicate', 'r8_', text(37)],
  ['Together AI', 'tgp_v1_', text(43)],
  ['Fireworks AI', 'fw_', text(22)],
  ['ElevenLabs', 'sk_', hex(48)],
  ['Jina AI', 'jina_', text(60)],
  ['Pinecone', 'pcsk_', text(6), '_', text(60)],
  ['LangSmith', 'lsv2_pt_', hex(32), '_', hex(10)],
  ['Tavily', 'tvly-', 'dev-', text(32)],
  ['Firecrawl', 'fc-', hex(32)],
  ['Brave Search', 'BSA', text(28)],
  ['Apify', 'apify_api_', text(36)],
  ['Browserbase', 'bb_live_', text(27)],
  ['E2B', 'e2b_', hex(40)],
  ['Context7', 'ctx7sk-', uuid],
  ['GitHub', 'ghp_', text(36)],
  ['GitHub', 'github_pat_', text(22), '_', text(59)],
  ['GitLab', 'glpat-', text(20)],
  ['GitLab', 'glpat-', text(27), '.01.', small(9)],
  ['Atlassian', 'ATATT3xFfGF0', text(120), '=', large(8)],
  ['Bitbucket', 'ATBB', text(32)],
  ['npm', 'npm_', text(36)],
  ['PyPI', 'pypi-', 'AgEIcHlwaS5vcmc', text(150)],
  ['RubyGems', 'rubygems_', hex(48)],
  ['Docker', 'dckr_pat_', text(27)],
  ['CircleCI', 'CCIPAT_', text(22), '_', hex(40)],
  ['Buildkite', 'bkua_', hex(40)],
  ['SonarQube', 'squ_', hex(40)],
  ['Postman', 'PMAK-', hex(24), '-', hex(34)],
  ['Amazon Web Services', 'AKIA', large(16)],
  ['Amazon Web Services', 'ASIA', large(16)],
  ['Google', 'AIza', text(35)],
  ['Google', 'GOCSPX-', text(28)],
  ['Google', 'ya29.', text(100)],
  ['Microsoft Entra', 'abc', '8Q~', text(34)],
  ['Cloudflare', 'cfut_', text(40), hex(8)],
  ['DigitalOcean', 'dop_v1_', hex(64)],
  ['Heroku', 'HRKU-', text(60)],
  ['Vercel', 'vcp_', text(56)],
  ['Netlify', 'nfp_', text(40)],
  ['Fly.io', 'fm2_', text(80)],
  ['Render', 'rnd_', text(32)],
  ['HashiCorp', 'hvs.', text(90)],
  ['HashiCorp', text(14), '.atlasv1.', text(67)],
  ['Pulumi', 'pul-', hex(40)],
  ['Doppler', 'dp.pt.', text(43)],
  ['1Password', 'ops_', 'eyJ', text(200)],
  ['Tailscale', 'tskey-auth-', text(12), '-', text(32)],
  ['Alibaba Cloud', 'LTAI', text(20)],
  ['Supabase', 'sbp_', hex(40)],
  ['Supabase', 'sb_secret_', text(22), '_', text(8)],
  ['Neon', 'napi_', small(64)],
  ['PlanetScale', 'pscale_tkn_', text(43)],
  ['MongoDB Atlas', 'mdb_sa_sk_', text(40)],
  ['Databricks', 'dapi', hex(32)],
  ['Airtable', 'pat', text(14), '.', hex(64)],
  ['Contentful', 'CFPAT-', text(43)],
  ['Sentry', 'sntryu_', hex(64)],
  ['Grafana', 'glsa_', text(32), '_', hex(8)],
  ['New Relic', 'NRAK-', large(27)],
  ['PostHog', 'phx_', text(43)],
  ['Dynatrace', 'dt0c01.', large(24), '.', large(64)],
  ['Slack', 'xoxb-', '123456789012-', '123456789012-', text(24)],
  ['Slack', 'xapp-', '1-A0123456789-', '1234567890123-', hex(64)],
  ['Slack', 'hooks.slack.com/services/', 'T00000000/B00000000/', text(24)],
  ['Discord', 'M', text(23), '.', text(6), '.', text(38)],
  ['Telegram', '123456789', ':', 'AA', text(33)],
  ['Linear', 'lin_api_', text(40)],
  ['Notion', 'ntn_', text(46)],
  ['Figma', 'figd_', text(40)],
  ['ClickUp', 'pk_', '12345678_', large(32)],
  ['Asana', '2/1234567890123456/1234567890123456:', hex(32)],
  ['HubSpot', 'pat-na1-', uuid],
  ['Typeform', 'tfp_', text(44), '_', text(14)],
  ['Dropbox', 'sl.u.', text(130)],
  ['Stripe', 'sk_live_', text(24)],
  ['Stripe', 'rk_test_', text(24)],
  ['Stripe', 'whsec_', text(32)],
  ['Shopify', 'shpat_', hex(32)],
  ['Square', 'sq0atp-', text(22)],
  ['PayPal', 'access_token$', 'sandbox$', small(16), '$', hex(32)],
  ['Plaid', 'access-sandbox-', uuid],
  ['Twilio', 'SK', hex(32)],
  ['SendGrid', 'SG.', text(22), '.', text(43)],
  ['Mailgun', 'key-', hex(32)],
  ['Mailchimp', hex(32), '-us12'],
  ['Brevo', 'xkeysib-', hex(64), '-', text(16)],
  ['Resend', 're_', text(8), '_', text(24)],
  ['Meta', 'EAA', text(150)],
  ['Mapbox', 'sk.', 'eyJ', text(60), '.', text(22)],
  ['a private key', '-----BEGIN RSA PRIVATE KEY', '-----\nMIIE', text(60), '\n', text(60), '\n'],
  ['age', 'AGE-SECRET-', 'KEY-1', large(58)],
];

it('has a place of publication for each shape, and the shapes of more than fifty services', () => {
  expect(new Set(tokenShapes.map(({ service }) => service)).size).toBeGreaterThanOrEqual(50);
  expect(tokenShapes.filter(({ source }) => !/^https:\/\/\S+$/.test(source))).toEqual([]);
  const tested = new Set(tokens.map(([service]) => service));
  expect(tokenShapes.filter(({ service }) => !tested.has(service))).toEqual([]);
});

it.each(tokens)('finds a token of %s', (service, ...parts) => {
  const token = parts.join('');
  for (const [before, after] of [
    ['', ''],
    ['the token ', ' is not valid'],
    ['https://h.example/', '/mcp'],
    ['{"a":"', '"}'],
  ]) {
    const around = `${before}${token}${after}`;
    const [found, ...others] = findTokens(around);
    // a slash or a blank may be a part of it
    expect(found?.start).toBe(before?.length);
    expect(around.slice(found?.start, found?.end)).toContain(token);
    expect(others).toEqual([]);
  }
  expect(tokenService(token)).toBe(service);
});

it('finds JSON Web Tokens', () => {
  const token = `eyJhbGciOiJIUzI1NiJ9.${text(30)}.${text(43)}`;
  expect(maskText(`refused: ${token}, try again`)).toBe('refused: ***REDACTED***, try again');
});

it.each([
  'sk-learn-is-a-library-for-python',
  'sklearn',
  'task-0123456789012345678901234567890',
  'ghp_short',
  'AKIAABC',
  'npm_config_registry',
  'npm_package_json',
  'hf_hub_download',
  'xoxb-',
  'pat-chat',
  'key-value',
  'SG.a.b',
  're_compile_pattern',
  'github_pattern',
  'at Object.<anonymous> (node:internal/modules/cjs/loader:1554:14)',
  'file:///home/me/project/node_modules/some-package/dist/esm/index.js',
  '2024-11-05T10:00:00.000Z [info] Listening on http://localhost:3000/mcp',
  'commit da39a3ee5e6b4b0d3255bfef95601890afd80709',
  'eyJustAWord.with.dots',
])('finds none in %s', (around) => {
  expect(findTokens(around)).toEqual([]);
});
