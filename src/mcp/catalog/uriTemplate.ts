/** The part of RFC 6570 that resource templates use: every operator, names, `*`, and prefixes by length. */
import { toWellFormed } from '../../base/text/wellFormed.js';

interface Operator {
  readonly first: string;
  readonly separator: string;
  readonly isNamed: boolean;
  readonly keepsReserved: boolean;
}

const plain: Operator = { first: '', separator: ',', isNamed: false, keepsReserved: false };
const operators: Readonly<Record<string, Operator>> = {
  '+': { ...plain, keepsReserved: true },
  '#': { ...plain, first: '#', keepsReserved: true },
  '.': { ...plain, first: '.', separator: '.' },
  '/': { ...plain, first: '/', separator: '/' },
  ';': { ...plain, first: ';', separator: ';', isNamed: true },
  '?': { ...plain, first: '?', separator: '&', isNamed: true },
  '&': { ...plain, first: '&', separator: '&', isNamed: true },
};

const expression = /\{([+#./;?&]?)([^{}]*)\}/g;

/** Names of the variables, in order, each once. */
export function templateVariables(template: string): readonly string[] {
  const names = [...template.matchAll(expression)].flatMap(([, , list = '']) =>
    list.split(',').map((spec) => parseSpec(spec).name),
  );
  return [...new Set(names.filter((name) => name !== ''))];
}

/** Variables without a value are left out, as the RFC says. */
export function expandTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(expression, (_whole, sign: string, list: string) => {
    const operator = operators[sign] ?? plain;
    const parts = list.split(',').flatMap((spec) => {
      const { name, length } = parseSpec(spec);
      const value = Object.hasOwn(values, name) ? values[name] : undefined;
      if (value === undefined || value === '') {
        return [];
      }
      const part = toWellFormed([...value].slice(0, length).join(''));
      const text = encode(part, operator.keepsReserved);
      return [operator.isNamed ? `${name}=${text}` : text];
    });
    return parts.length === 0 ? '' : operator.first + parts.join(operator.separator);
  });
}

function parseSpec(spec: string): { readonly name: string; readonly length: number | undefined } {
  const [, name = '', length] = /^([^*:]*)\*?(?::(\d+))?/.exec(spec.trim()) ?? [];
  return { name, length: length === undefined ? undefined : Number(length) };
}

function encode(text: string, keepsReserved: boolean): string {
  const strict = encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return keepsReserved ? encodeURI(text).replace(/%5B|%5D/g, decodeURIComponent) : strict;
}
