/** The OpenAPI document of the REST routes. */
import { type JsonObject, mapValues } from '../../base/json.js';
import { errorStatus, type Route, restRoot, routes } from './restRoutes.js';

export interface OpenApiParts {
  readonly version: string;
  /** The only project that is served; `undefined`: none is. */
  readonly folderUri: string | undefined;
}

export function openApi({ version, folderUri }: OpenApiParts): JsonObject {
  const paths: Record<string, Record<string, JsonObject>> = {};
  for (const route of routes) {
    paths[route.template] = {
      ...paths[route.template],
      [route.method.toLowerCase()]: operation(route, folderUri),
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Pi MCP gateway',
      version,
      description:
        'Reads need the use token, changes the manage token. Only one project is served: the folder of the gateway, named by its URI.',
    },
    servers: [{ url: restRoot }],
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas,
    },
  };
}

function operation(route: Route, folderUri: string | undefined): JsonObject {
  const { id, summary, grant, body, answer, stream, errors = [] } = route;
  const refusals: Record<string, string[]> = { 401: ['no token that counts'] };
  if (grant === 'manage') {
    refusals[403] = ['manage_token_required'];
  }
  for (const code of errors) {
    const status = errorStatus[code];
    refusals[status] = [...(refusals[status] ?? []), code];
  }
  const parameters = parametersOf(route, folderUri);
  return {
    operationId: id,
    summary,
    'x-token': grant,
    parameters: parameters.length > 0 ? parameters : undefined,
    requestBody: body && { required: true, content: json(reference(body)) },
    responses: {
      200: {
        description: 'OK',
        content: {
          [stream ? 'text/event-stream' : 'application/json']: {
            schema: answer ? reference(answer) : { type: 'object' },
          },
        },
      },
      ...mapValues(refusals, (codes, status) => ({
        description: codes.join(', '),
        content: status === '401' ? undefined : json(reference('Error')),
      })),
    },
  };
}

function parametersOf(route: Route, folderUri: string | undefined): readonly JsonObject[] {
  const project = {
    type: 'string',
    description: 'URI of the folder',
    examples: folderUri === undefined ? undefined : [folderUri],
  };
  const inPath = [...route.template.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: name === 'projectId' ? project : { type: 'string', minLength: 1, maxLength: 64 },
  }));
  const { projectId } = route;
  return projectId === undefined
    ? inPath
    : [
        ...inPath,
        { name: 'projectId', in: 'query', required: projectId === 'required', schema: project },
      ];
}

function json(schema: JsonObject): JsonObject {
  return { 'application/json': { schema } };
}

function reference(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}

function object(
  properties: Readonly<Record<string, JsonObject>>,
  required: readonly string[] = Object.keys(properties),
): JsonObject {
  return { type: 'object', properties, required };
}

const text = { type: 'string' };
const flag = { type: 'boolean' };
const count = { type: 'integer', minimum: 0 };
const texts = { type: 'array', items: text };
const textMap = { type: 'object', additionalProperties: text };
const maxChars = { type: 'integer', minimum: 1, maximum: 1_000_000 };

const schemas: Readonly<Record<string, JsonObject>> = {
  Error: object({ error: text, message: text, remedy: text }, ['error', 'message']),
  Settings: object({
    enabled: flag,
    connected: count,
    total: count,
    truncation: object({ enabled: flag, maxChars }),
  }),
  SettingsChange: {
    ...object({ enabled: flag, truncation: object({ enabled: flag, maxChars }, []) }, []),
    minProperties: 1,
    additionalProperties: false,
  },
  Server: object(
    {
      command: text,
      args: texts,
      env: textMap,
      cwd: text,
      url: text,
      headers: textMap,
      transport: text,
      enabled: flag,
    },
    [],
  ),
  Status: object(
    {
      scope: { enum: ['global', 'project'] },
      projectId: text,
      name: text,
      kind: { enum: ['stdio', 'remote'] },
      url: text,
      command: text,
      args: texts,
      enabled: flag,
      state: text,
      toolCount: count,
      lastError: text,
      transport: text,
    },
    ['scope', 'name', 'kind', 'enabled', 'state', 'toolCount'],
  ),
  Servers: object(
    {
      servers: { type: 'object', additionalProperties: reference('Server') },
      status: { type: 'array', items: reference('Status') },
      stdioTrust: object({ trusted: flag }),
    },
    ['servers', 'status'],
  ),
  StatusEvent: object({ status: { type: 'array', items: reference('Status') } }),
  Done: object({ ok: { const: true } }),
  Removed: object({ removed: flag }),
  Probed: object({ status: reference('Status') }),
  Tools: object({
    tools: { type: 'array', items: object({ name: text, description: text }) },
  }),
  Trusted: object({
    trusted: { const: true },
    status: { type: 'array', items: reference('Status') },
  }),
  Revoked: object({ trusted: { const: false } }),
};
