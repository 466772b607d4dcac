/**
 * A tool's schema as every provider takes it; `wireRules.ts` has the rules. It allows what the server's schema allows,
 * and says in words what it cannot say otherwise, so the server's own schema is for the check before a call.
 */
import { asObject, type JsonObject, jsonLength } from '../../../base/json.js';
import { ParameterNames } from './parameterNames.js';
import { cut, describeSchema } from './told.js';
import { type WireLimits, WireWriter } from './wireWriter.js';

export interface WireSchema {
  /** Has `type`, `properties` and perhaps `required`. */
  readonly schema: JsonObject;
  /** What the root cannot say, a line each; belongs to the description of the tool. */
  readonly told: readonly string[];
  readonly names: ParameterNames;
}

/** The first that gives a whole schema of a bearable size is taken, else the last. */
const attempts: readonly Omit<WireLimits, 'maxParts'>[] = [
  { maxReturns: 1, maxDepth: 20 },
  { maxReturns: 0, maxDepth: 20 },
  { maxReturns: 0, maxDepth: 8 },
  { maxReturns: 0, maxDepth: 4 },
  { maxReturns: 0, maxDepth: 2 },
];
/** More than any real schema has; references that multiply would cost the same again and again. */
const maxFirstParts = 2_500;
const maxFurtherParts = 500;
/** Characters of JSON that what is written out may always have, and how many times more than before it may have. */
const bearableLength = 16_000;
const bearableGrowth = 2;

/** @param sound see `makeSound` */
export function makeWireSchema(sound: JsonObject): WireSchema {
  const bearable = Math.max(bearableLength, bearableGrowth * JSON.stringify(sound).length);
  let written: ReturnType<typeof writeRoot> | undefined;
  for (const depths of attempts) {
    const maxParts = written?.isWhole === false ? maxFurtherParts : maxFirstParts;
    written = writeRoot(sound, { ...depths, maxParts });
    if (written.isWhole && jsonLength(written.schema, bearable) <= bearable) {
      break;
    }
  }
  const { schema, told } = written ?? { schema: {}, told: [] };
  return { ...renameParameters(schema), told };
}

/** Characters; longer descriptions of tools are refused by OpenAI's chat API, those of parameters are not. */
const maxDescription = 1_024;

/** The tool as a model gets it, with what its schema cannot say. */
export function describeTool(description: string, { schema, told }: WireSchema) {
  const others = told.filter((line) => !description.includes(line));
  const whole = describeSchema(description, others);
  if (whole.length <= maxDescription || description.length > maxDescription) {
    return { description: whole, schema };
  }
  const [first, ...properties] = Object.entries(asObject(schema.properties));
  if (!first) {
    return { description: cut(whole, maxDescription), schema };
  }
  const [name, part] = first;
  const lines = ['Of all parameters:', ...others];
  const described = withLines(part, lines);
  return {
    description,
    schema: { ...schema, properties: Object.fromEntries([[name, described], ...properties]) },
  };
}

function writeRoot(sound: JsonObject, limits: WireLimits) {
  const writer = new WireWriter(sound, limits);
  const root = writer.writeRoot();
  return { ...root, isWhole: writer.isWhole };
}

function renameParameters(schema: JsonObject) {
  const { properties, required, ...rest } = schema;
  const entries = Object.entries(asObject(properties));
  const names = new ParameterNames(entries.map(([name]) => name));
  const renamed = entries.map(([name, part]) => {
    const given = names.given(name);
    return [given, given === name ? part : withServerName(part, name)] as const;
  });
  return {
    names,
    schema: {
      ...rest,
      properties: Object.fromEntries(renamed),
      ...(Array.isArray(required) && {
        required: required.map((name) => names.given(String(name))),
      }),
    },
  };
}

/** For the model, so in English. */
function withServerName(part: unknown, name: string): JsonObject {
  return withLines(part, [`The server calls it ${JSON.stringify(name)}.`]);
}

function withLines(part: unknown, lines: readonly string[]): JsonObject {
  const schema = asObject(part);
  return { ...schema, description: describeSchema(schema.description, lines) };
}
