/**
 * Connections between browsers are the one kind that no content security policy covers. Their API is taken from the
 * app's document before its first script; a document that it nests in itself could still have it.
 */
const guard = `<script>for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'RTCDataChannel', 'WebTransport']) {
  delete window[name];
}
document.currentScript.remove();</script>`;

/** Behind the doctype, which has to come first. */
export function guardDocument(html: string): string {
  const doctype = /^\s*(?:<!--(?!>|->)[\s\S]*?-->\s*)*<!doctype[^>]*>/i.exec(html)?.[0] ?? '';
  return `${doctype}${guard}${html.slice(doctype.length)}`;
}
