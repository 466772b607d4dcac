/** The one table of the routes, which are pi-forge's: what is served, and what the OpenAPI document says about it. */
import type { Grant } from '../http/accessTokens.js';
import { decodeSegment } from '../http/guards.js';

export const restRoot = '/api/v1';

export type RouteId =
  | 'readDocument'
  | 'readSettings'
  | 'changeSettings'
  | 'listServers'
  | 'putServer'
  | 'removeServer'
  | 'probeServer'
  | 'startServer'
  | 'stopServer'
  | 'followServers'
  | 'listTools'
  | 'askTrust'
  | 'revokeTrust';

export type RestErrorCode =
  | 'mcp_consent_required'
  | 'mcp_invalid_config'
  | 'mcp_read_once'
  | 'mcp_server_not_found'
  | 'mcp_unreachable'
  | 'project_not_found'
  | 'too_many_listeners';

export interface Route {
  readonly id: RouteId;
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  /** Behind {@link restRoot}; `{name}` and `{projectId}` stand for one encoded segment. */
  readonly template: string;
  /** The least that the token must allow. */
  readonly grant: Grant;
  readonly summary: string;
  /** Whether the query has a `projectId`. Default: it has none. */
  readonly projectId?: 'optional' | 'required';
  /** Schemas of the document. */
  readonly body?: string;
  readonly answer?: string;
  /** The answer comes again and again, as events. Default: once. */
  readonly stream?: boolean;
  readonly errors?: readonly RestErrorCode[];
}

export const routes: readonly Route[] = [
  {
    id: 'readDocument',
    method: 'GET',
    template: '/openapi.json',
    grant: 'use',
    summary: 'This document',
  },
  {
    id: 'readSettings',
    method: 'GET',
    template: '/mcp/settings',
    grant: 'use',
    summary:
      "The master switch, how many of the user's own servers are connected, and the length of results",
    answer: 'Settings',
  },
  {
    id: 'changeSettings',
    method: 'PUT',
    template: '/mcp/settings',
    grant: 'manage',
    summary: "Changes the master switch or the length of results in the user's own file",
    body: 'SettingsChange',
    answer: 'Settings',
    errors: ['mcp_invalid_config', 'mcp_read_once'],
  },
  {
    id: 'listServers',
    method: 'GET',
    template: '/mcp/servers',
    grant: 'use',
    summary:
      "The user's own servers, redacted, and the state of all, with those of the project if it is named",
    projectId: 'optional',
    answer: 'Servers',
  },
  {
    id: 'putServer',
    method: 'PUT',
    template: '/mcp/servers/{name}',
    grant: 'manage',
    summary:
      "Adds a server to the user's own file, or replaces it in the one that holds it; ***REDACTED*** keeps the stored value",
    body: 'Server',
    answer: 'Done',
    errors: ['mcp_invalid_config', 'mcp_read_once'],
  },
  {
    id: 'removeServer',
    method: 'DELETE',
    template: '/mcp/servers/{name}',
    grant: 'manage',
    summary: 'Removes a server from the file of the user that holds it',
    answer: 'Removed',
    errors: ['mcp_invalid_config', 'mcp_read_once', 'mcp_server_not_found'],
  },
  {
    id: 'probeServer',
    method: 'POST',
    template: '/mcp/servers/{name}/probe',
    grant: 'manage',
    summary:
      'Connects a server afresh, as far as trust and switches allow; the status says how it went',
    projectId: 'optional',
    answer: 'Probed',
    errors: ['project_not_found', 'mcp_server_not_found'],
  },
  {
    id: 'startServer',
    method: 'POST',
    template: '/mcp/servers/{name}/start',
    grant: 'manage',
    summary:
      'Connects a server unless it is connected, as far as trust and switches allow; the status says how it went',
    projectId: 'optional',
    answer: 'Probed',
    errors: ['project_not_found', 'mcp_server_not_found'],
  },
  {
    id: 'stopServer',
    method: 'POST',
    template: '/mcp/servers/{name}/stop',
    grant: 'manage',
    summary: 'Stops a server; it starts again on its next use',
    projectId: 'optional',
    answer: 'Probed',
    errors: ['project_not_found', 'mcp_server_not_found'],
  },
  {
    id: 'followServers',
    method: 'GET',
    template: '/events',
    grant: 'use',
    summary:
      'Server-sent events: "status" with the state of all servers at first and of each that changes, "removed" with those that went',
    answer: 'StatusEvent',
    stream: true,
    errors: ['too_many_listeners'],
  },
  {
    id: 'listTools',
    method: 'GET',
    template: '/mcp/tools',
    grant: 'use',
    summary: 'The tools that clients of the gateway may call',
    projectId: 'required',
    answer: 'Tools',
    errors: ['mcp_invalid_config', 'project_not_found', 'mcp_unreachable'],
  },
  {
    id: 'askTrust',
    method: 'POST',
    template: '/mcp/trust/{projectId}',
    grant: 'manage',
    summary: 'Says whether the project is trusted; never grants trust, which only a person gives',
    answer: 'Trusted',
    errors: ['project_not_found', 'mcp_consent_required'],
  },
  {
    id: 'revokeTrust',
    method: 'DELETE',
    template: '/mcp/trust/{projectId}',
    grant: 'manage',
    summary:
      'Revokes all trust in the project and stops its servers, which ends a gateway that lent them',
    answer: 'Revoked',
    errors: ['project_not_found', 'mcp_read_once'],
  },
];

export const errorStatus: Readonly<Record<RestErrorCode, number>> = {
  mcp_consent_required: 409,
  mcp_invalid_config: 400,
  mcp_read_once: 409,
  mcp_server_not_found: 404,
  mcp_unreachable: 502,
  project_not_found: 404,
  too_many_listeners: 503,
};

export interface RouteMatch {
  readonly route: Route;
  readonly parameters: Readonly<Record<string, string>>;
}

/** `wrong_method`: something is there, for other methods. */
export function matchRoute(method: string, path: string): RouteMatch | 'nothing' | 'wrong_method' {
  const found = routes.flatMap((route) => {
    const parameters = parametersOf(`${restRoot}${route.template}`, path);
    return parameters ? [{ route, parameters }] : [];
  });
  const match = found.find(({ route }) => route.method === method);
  return match ?? (found.length > 0 ? 'wrong_method' : 'nothing');
}

function parametersOf(template: string, path: string): Record<string, string> | undefined {
  const wanted = template.split('/');
  const given = path.split('/');
  if (wanted.length !== given.length) {
    return undefined;
  }
  const parameters: Record<string, string> = {};
  for (const [index, segment] of wanted.entries()) {
    const value = decodeSegment(given[index] ?? '');
    const [, name] = /^\{(\w+)\}$/.exec(segment) ?? [];
    if (value === undefined || (name === undefined ? value !== segment : value === '')) {
      return undefined;
    }
    if (name !== undefined) {
      parameters[name] = value;
    }
  }
  return parameters;
}
