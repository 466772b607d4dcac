/**
 * What runs in an app's document before its first script. No policy of content security covers connections between
 * browsers, so their API is taken away; and a document in a frame of the app would have it again, so none may have
 * scripts: the document requires trusted types, and these rules are the only ones that make any. Whatever HTML the app
 * writes passes them. The app owns every prototype from its first script on, so that nothing here looks one up later.
 */
export const guardScript = `(() => {
  const { apply } = Reflect;
  for (const name of Object.getOwnPropertyNames(window)) {
    if (/^(webkit)?RTC|^WebTransport|^XSLTProcessor$/.test(name)) {
      delete window[name];
    }
  }
  // documents that no rule has seen
  const { prototype } = XMLHttpRequest;
  const type = Object.getOwnPropertyDescriptor(prototype, 'responseType');
  delete prototype.responseXML;
  Object.defineProperty(prototype, 'responseType', {
    ...type,
    set(value) {
      const text = \`\${value}\`;
      if (text !== 'document') {
        apply(type.set, this, [text]);
      }
    },
  });
  const known = (...names) => {
    const sinks = { __proto__: null };
    for (const name of names) {
      sinks[name] = true;
    }
    return sinks;
  };
  const htmlSinks = known(
    'Element innerHTML', 'Element outerHTML', 'Element insertAdjacentHTML', 'Element setHTMLUnsafe',
    'ShadowRoot innerHTML', 'ShadowRoot setHTMLUnsafe', 'DOMParser parseFromString',
    'Document parseHTMLUnsafe', 'Document execCommand', 'Range createContextualFragment',
  );
  const scriptSinks = known(
    'HTMLScriptElement text', 'HTMLScriptElement textContent', 'HTMLScriptElement innerText',
    'SVGScriptElement text', 'SVGScriptElement textContent', 'HTMLScriptElement src',
  );
  const letters = ['sS', 'rR', 'cC', 'dD', 'oO', 'cC'];
  const startsFrame = (text, start) => {
    for (let i = 0; i < 6; i++) {
      const letter = text[start + i];
      if (letter !== letters[i][0] && letter !== letters[i][1]) {
        return false;
      }
    }
    return true;
  };
  const withoutFrames = (text) => {
    let safe = '';
    for (let i = 0; i < text.length; i++) {
      if (startsFrame(text, i)) {
        safe += 'srcd0c';
        i += 5;
      } else {
        safe += text[i];
      }
    }
    return safe;
  };
  const startsHandler = (sink) => {
    const start = 'Element on';
    for (let i = 0; i < 10; i++) {
      if (sink[i] !== start[i]) {
        return false;
      }
    }
    return true;
  };
  trustedTypes.createPolicy('default', {
    createHTML: (text, _type, sink) => (htmlSinks[sink] ? withoutFrames(text) : null),
    createScript: (text, _type, sink) =>
      scriptSinks[sink] || startsHandler(sink) ? text : null,
    createScriptURL: (text) => text,
  });
  document.currentScript.remove();
})()`;
