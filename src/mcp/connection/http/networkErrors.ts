import * as l10n from '@vscode/l10n';
import { errorCode } from '../../../base/errors.js';

const unreachableCodes = new Set(
  `ECONNREFUSED EHOSTDOWN EHOSTUNREACH ENETDOWN ENETUNREACH
  ENOTFOUND EAI_AGAIN ETIMEDOUT UND_ERR_CONNECT_TIMEOUT`.split(/\s+/),
);

const silenceCodes = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);

/** `fetch` itself gave up, since nothing came from the server for minutes. */
export function isSilence(error: unknown): boolean {
  return silenceCodes.has(networkErrorCode(error) ?? '');
}

/** The system error code behind a failed `fetch`, which hides it in its causes. */
export function networkErrorCode(error: unknown): string | undefined {
  return errorChain(error)
    .flatMap((item) => [item, ...(item instanceof AggregateError ? item.errors : [])])
    .map(errorCode)
    .find((code) => code !== undefined);
}

const maxCauses = 5;

/** An error and its causes. */
function errorChain(error: unknown): readonly Error[] {
  const chain: Error[] = [];
  for (let item = error; item instanceof Error && chain.length < maxCauses; item = item.cause) {
    chain.push(item);
  }
  return chain;
}

/** Nobody listens there: the request was not delivered. */
export function isUnreachable(error: unknown): boolean {
  return unreachableCodes.has(networkErrorCode(error) ?? '');
}

/** Somebody answers there, in bytes that are no HTTP, or no TLS where that is asked for. */
export function isForeignSpeech(error: unknown): boolean {
  return errorChain(error).some(
    (item) =>
      item.name === 'HTTPParserError' ||
      /:(?:wrong version number|packet length too long|unknown protocol|http request):/.test(
        item.message,
      ) ||
      /^HPE_|^ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|UNKNOWN_PROTOCOL|HTTP_REQUEST)$/.test(
        errorCode(item) ?? '',
      ),
  );
}

/** Somebody takes the connection and ends it without an answer. */
export function isHangUp(systemCode: string | undefined): boolean {
  return ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'].includes(systemCode ?? '');
}

/** TLS refused the certificate of the server. */
export function isCertificateCode(code: string | undefined): code is string {
  return /^(?:CERT_|ERR_TLS_CERT|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/.test(code ?? '');
}

/** The sentence, and through which proxy the server was asked. */
export function withProxy(sentence: string, proxy: string | undefined): string {
  return proxy === undefined
    ? sentence
    : `${sentence} ${l10n.t('It was asked through the proxy {0}.', proxy)}`;
}

/** What to do about a proxy that may be the cause. */
export function proxyRemedy(): string {
  return l10n.t(
    'Check that the proxy works: HTTP_PROXY and HTTPS_PROXY, or "http.proxy" in the editor, name it; NO_PROXY names hosts to reach without it.',
  );
}

/** What to say when TLS refused the certificate of the server at `place`. */
export function certificateTrouble(code: string, place: string) {
  return {
    code: 'certificate' as const,
    message: l10n.t('The certificate of {0} is not trusted: {1}.', place, code),
    remedy: l10n.t(
      'Install its certificate authority in the system; for the command line, name its file in NODE_EXTRA_CA_CERTS. Set "ignoreCertificateErrors" only if you accept the risk.',
    ),
  };
}
