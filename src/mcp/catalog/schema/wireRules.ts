/**
 * What the wires to the providers take of a tool's schema. A conversation may change its model at any time, so one
 * schema keeps to the rules of all of them; `wireSchema.ts` follows them.
 */

/** Pi's wires; all others speak one of these. */
export const wires = ['anthropic', 'openai', 'gemini', 'bedrock', 'mistral'] as const;
export type Wire = (typeof wires)[number];

export interface WireRule {
  /** What a provider refuses or loses. */
  readonly limit: string;
  /** What is sent instead. */
  readonly instead: string;
  readonly wires: readonly Wire[];
  /** Where the limit is written, or the report of the refusal. */
  readonly source: string;
}

export const wireRules = {
  rootKeywords: {
    limit:
      'The root may have "type", "properties" and "required" alone; Pi sends Anthropic no others',
    instead: 'The others are told in the description of the tool',
    wires: ['bedrock', 'anthropic'],
    source: 'https://docs.aws.amazon.com/nova/latest/userguide/tool-use-definition.html',
  },
  rootType: {
    limit: 'The root must have the type "object"',
    instead: '"type": "object"',
    wires: ['anthropic', 'openai', 'bedrock'],
    source: 'https://github.com/earendil-works/pi/issues/8279',
  },
  rootAlternatives: {
    limit: 'No "anyOf", "oneOf" or "allOf" at the root',
    instead: 'One object with the properties of all; the alternatives are told in the description',
    wires: ['anthropic', 'openai', 'bedrock'],
    source: 'https://github.com/anthropics/claude-code/issues/5973',
  },
  parameterNames: {
    limit:
      'Properties of the root must match ^[a-zA-Z0-9_.-]{1,64}$; nested ones may have any name',
    instead: 'Another name, which stands for the first one until the call',
    wires: ['anthropic', 'bedrock'],
    source: 'https://github.com/decocms/studio/pull/6874',
  },
  references: {
    limit: '"$ref" is refused, or its target is not sent',
    instead: 'Its target is written out; where it comes back, once more and then as an open value',
    wires: ['anthropic', 'bedrock', 'gemini'],
    source: 'https://platform.claude.com/docs/en/managed-agents/self-hosted-sandboxes',
  },
  keywords: {
    limit: 'Keywords that are not listed are refused or ignored',
    instead: 'They are told in the description',
    wires: ['gemini'],
    source:
      'https://pub.dev/documentation/googleapis/latest/aiplatform_v1/GoogleCloudAiplatformV1GenerationConfig/responseJsonSchema.html',
  },
  oneOf: {
    limit: '"oneOf" is taken for "anyOf"',
    instead: '"anyOf", and that only one may fit in the description',
    wires: ['gemini'],
    source:
      'https://pub.dev/documentation/googleapis/latest/aiplatform_v1/GoogleCloudAiplatformV1GenerationConfig/responseJsonSchema.html',
  },
  allOf: {
    limit: '"allOf" is not understood',
    instead: 'One schema that says what all of them say',
    wires: ['gemini'],
    source: 'https://github.com/pizza-bot-app/pizza-bot/issues/62',
  },
  constants: {
    limit: '"const" is refused',
    instead: '"enum" with one value',
    wires: ['gemini'],
    source: 'https://github.com/zed-extensions/mcp-server-brave-search/issues/12',
  },
  typeLists: {
    limit: 'A list as "type" is refused',
    instead: '"anyOf" with one schema for each type',
    wires: ['gemini', 'openai'],
    source: 'https://github.com/lukacf/meerkat/pull/95',
  },
  missingTypes: {
    limit: '"properties", "items" and "enum" need their "type"',
    instead: 'The type that they imply',
    wires: ['gemini'],
    source: 'https://github.com/decolua/9router/pull/380',
  },
  emptyEnums: {
    limit: '"enum" must not be empty',
    instead: 'No "enum"',
    wires: ['gemini', 'openai'],
    source: 'https://github.com/elastic/kibana/pull/286302',
  },
  enumValues: {
    limit: '"enum" holds strings and numbers alone',
    instead: 'Other values are told in the description',
    wires: ['gemini'],
    source:
      'https://pub.dev/documentation/googleapis/latest/aiplatform_v1/GoogleCloudAiplatformV1GenerationConfig/responseJsonSchema.html',
  },
  items: {
    limit: 'An array needs "items"',
    instead: '"items": {}',
    wires: ['openai', 'gemini'],
    source: 'https://github.com/digitalocean-labs/mcp-digitalocean/issues/265',
  },
  tuples: {
    limit: '"items" must be one schema',
    instead: 'One schema for the items at all places; their order is told in the description',
    wires: ['anthropic', 'openai', 'gemini', 'mistral'],
    source: 'https://github.com/SylphxAI/pdf-reader-mcp/issues/63',
  },
  exclusiveBounds: {
    limit: '"exclusiveMinimum" and "exclusiveMaximum" are refused, as booleans by all',
    instead: 'The next integer as a bound, else told in the description',
    wires: ['gemini', 'mistral', 'anthropic'],
    source: 'https://github.com/ahmadrosid/nakama/issues/292',
  },
  formats: {
    limit: '"format" of a string may be "date-time" alone',
    instead: 'Others are told in the description',
    wires: ['gemini'],
    source: 'https://github.com/hideya/langchain-mcp-tools-ts/issues/36',
  },
  required: {
    limit: '"required" may name known properties alone',
    instead: 'The others become properties of any kind',
    wires: ['gemini'],
    source: 'https://ai.google.dev/api/caching#Schema',
  },
  booleans: {
    limit: 'true and false are no schemas',
    instead: '{}, or no such property',
    wires: ['openai', 'gemini'],
    source: 'https://ai.google.dev/api/caching#Schema',
  },
  depth: {
    limit: 'Schemas that are nested too deeply are refused',
    instead: 'An open value, which says so',
    wires: ['gemini', 'openai'],
    source: 'https://ai.google.dev/gemini-api/docs/structured-output',
  },
  size: {
    limit: 'Schemas that are too large are refused',
    instead: 'What is written out goes less deep, until it fits',
    wires: ['gemini', 'openai', 'anthropic'],
    source: 'https://ai.google.dev/gemini-api/docs/structured-output',
  },
} satisfies Readonly<Record<string, WireRule>>;
