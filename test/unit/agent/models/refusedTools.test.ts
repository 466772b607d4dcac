import { expect, it } from 'vitest';
import {
  descriptionLimit,
  refusalText,
  refusedTools,
  sentTools,
} from '../../../../src/agent/models/refusedTools.js';
import { apiNames, requestBody } from '../../../helpers/wires/requests.js';

const sent = ['read', 's__one', 's__two', 's__three'];

it.each<[string, string, readonly string[]]>([
  [
    'Anthropic',
    '400 {"type":"error","error":{"type":"invalid_request_error","message":"tools.2.custom.input_schema.properties: Property keys should match pattern"}}',
    ['s__two'],
  ],
  [
    'Bedrock',
    'Validation error: ValidationException: The value at toolConfig.tools.1.toolSpec.inputSchema.json.type must be one of the following: object.',
    ['s__one'],
  ],
  [
    'Nova',
    'ValidationException: Malformed input request: #/toolConfig/tools/2/toolSpec/inputSchema/json: extraneous key [definitions] is not permitted',
    ['s__two'],
  ],
  [
    'OpenAI',
    `400: {"message":"Invalid schema for function 's__one': In context=('properties', 'a'), array schema missing items.","type":"invalid_request_error","param":"tools[1].function.parameters"}`,
    ['s__one'],
  ],
  [
    'OpenAI about a description',
    "400 Invalid 'tools[3].function.description': string too long. Expected a string with maximum length 1024",
    ['s__three'],
  ],
  [
    'Gemini',
    String.raw`{"error":{"code":400,"message":"* GenerateContentRequest.tools[0].function_declarations[1].parameters.properties[a].items: missing field.\n* GenerateContentRequest.tools[0].function_declarations[3].parameters.properties[b].enum: cannot be empty","status":"INVALID_ARGUMENT"}}`,
    ['s__one', 's__three'],
  ],
  [
    'Vertex',
    '400 Unable to submit request because `s__two` functionDeclaration `parameters.a` schema specified other fields alongside any_of.',
    ['s__two'],
  ],
  ['a place that is none', '400 tools.9.custom.input_schema: invalid', []],
  ['a name that was not sent', "400 Invalid schema for function 'other': nothing", []],
  ['a message', '400 messages.2.content.0: tool_use ids were found without tool_result', []],
  ['a call of a tool', "400 messages.1: `tool_use` of 's__one' has no result", []],
  ['a load', '529 tools.1.custom.input_schema: overloaded', []],
  ['nothing', '', []],
])('reads what %s names', (_who, message, expected) => {
  expect(refusedTools(message, sent)).toEqual(expected);
});

it.each<[string, string, number | undefined]>([
  [
    'OpenAI',
    "400 Invalid 'tools[3].function.description': string too long. Expected a string with maximum length 1024, but got a string with length 1500 instead.",
    1024,
  ],
  [
    'a validator',
    '422 tools.1.function.description: String should have at most 512 characters',
    512,
  ],
  [
    'another limit',
    "400 Invalid 'tools[3].function.name': string too long, maximum length 64",
    undefined,
  ],
  ['a load', '529 description: maximum length 1024', undefined],
  ['nothing', '', undefined],
])('reads how long %s lets a description be', (_who, message, expected) => {
  expect(descriptionLimit(message)).toBe(expected);
});

it.each(apiNames)('knows the tools of a request of %s', async (api) => {
  const tools = sent.map((name) => ({ name, description: 'D', schema: { type: 'object' } }));
  expect(sentTools(await requestBody(api, tools))).toEqual(sent);
});

it('shows the sentence of a refusal, without secrets', () => {
  const message = `400 {"error":{"message":"Bad \\"key\\" sk-${'a'.repeat(30)}","type":"x"}}`;
  expect(refusalText(message)).toBe('Bad "key" ***REDACTED***');
  expect(refusalText('400 plain')).toBe('400 plain');
  expect(refusalText('{"message": "broken \\u12"}')).toContain('broken');
});
