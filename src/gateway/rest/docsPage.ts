/** The OpenAPI document as a page to read: no script, nothing from elsewhere. */
import { asObject, type JsonObject } from '../../base/json.js';
import { escapeHtml } from '../../base/text/escapeHtml.js';
import { type OpenApiParts, openApi } from './openApi.js';
import { restRoot } from './restRoutes.js';

const closed = "default-src 'none'; base-uri 'none'; form-action 'none'";
export const docsPolicy = `${closed}; frame-ancestors 'none'; style-src 'unsafe-inline'`;

const style = `:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere }
section { border-top: 1px solid; padding-block: .5rem 1rem }
h2 { font-size: 1rem } pre { white-space: pre-wrap }`;

/** A whole HTML document. */
export function docsPage(parts: OpenApiParts): string {
  const document = openApi(parts);
  const paths = Object.entries(document.paths as Readonly<Record<string, JsonObject>>);
  const { schemas } = document.components as { readonly schemas: JsonObject };
  const {
    title = '',
    version = '',
    description = '',
  } = document.info as Readonly<Record<string, string>>;
  const routes = paths.flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      routeHtml(method, path, asObject(operation)),
    ),
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title><style>${style}</style></head>
<body><main><h1>${escapeHtml(title)} ${escapeHtml(version)}</h1>
<p>${escapeHtml(description)} The document itself: <code>${restRoot}/openapi.json</code>.</p>
${routes.join('\n')}
<section><h2>Schemas</h2><pre>${jsonHtml(schemas)}</pre></section>
</main></body></html>
`;
}

function routeHtml(method: string, path: string, operation: JsonObject): string {
  const { summary, 'x-token': token, parameters, requestBody, responses } = operation;
  const details = { parameters, requestBody, responses };
  return `<section><h2>${escapeHtml(method.toUpperCase())} <code>${escapeHtml(restRoot + path)}</code></h2>
<p>${escapeHtml(String(summary))} Token: ${escapeHtml(String(token))}.</p>
<details><summary>Parameters, body and answers</summary><pre>${jsonHtml(details)}</pre></details></section>`;
}

function jsonHtml(value: unknown): string {
  return escapeHtml(JSON.stringify(value, undefined, 2));
}
