import { isUtf8 } from 'node:buffer';
import { decodeText, findEncoding, findMarkedEncoding, findXmlEncoding } from '@/lib/platform/decode-text';
import { isXmlType, type MediaType } from './media-type';

/** Browsers read a declaration anywhere in the head; it rarely has more bytes. */
const maxHeadBytes = 16 * 1024;

/**
 * Decodes a page as browsers do (HTML, "determining the character encoding"): by its byte order mark, then the media type,
 * then `<meta>` for HTML, then the XML declaration. An unknown label counts as none.
 * @returns null for an encoding that browsers do not decode, because it is unsafe
 */
export function decodePage(body: Uint8Array, type: MediaType): string | null {
  const encoding =
    findMarkedEncoding(body) ??
    findEncoding(type.charset ?? '') ??
    (isXmlType(type) ? null : findMetaEncoding(body)) ??
    findXmlEncoding(body) ??
    // The standard lets a browser guess the encoding of a page that declares none.
    (isUtf8(body) ? 'UTF-8' : 'windows-1252');
  return encoding === 'replacement' ? null : decodeText(body, encoding);
}

const attribute =
  /[\t\n\f\r /]*([^\t\n\f\r />][^\t\n\f\r />=]*)(?:[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^\t\n\f\r >]*)))?/y;
const labelInContent = /charset[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^\t\n\f\r ;"'][^\t\n\f\r ;]*))/i;

/** Finds the first `<meta>` that declares a known encoding, outside of comments and other tags (HTML, "prescan"). */
function findMetaEncoding(body: Uint8Array): string | null {
  const head = decodeText(body.subarray(0, maxHeadBytes), 'windows-1252');
  for (let at = head.indexOf('<'); at !== -1; at = head.indexOf('<', at)) {
    if (head.startsWith('<!--', at)) {
      const end = head.indexOf('-->', at + 2);
      if (end === -1) return null;
      at = end;
      continue;
    }
    const [tag, name = ''] = /^<\/?([a-z][^\t\n\f\r />]*)/i.exec(head.slice(at, at + 100)) ?? [];
    if (tag === undefined) {
      at += 1;
      continue;
    }
    const { attributes, end } = readAttributes(head, at + tag.length);
    at = end;
    const encoding = name.toLowerCase() === 'meta' && !tag.startsWith('</') ? findDeclared(attributes) : null;
    if (encoding !== null) return encoding;
  }
  return null;
}

function readAttributes(text: string, start: number): { attributes: Map<string, string>; end: number } {
  const attributes = new Map<string, string>();
  attribute.lastIndex = start;
  let end = start;
  for (let match = attribute.exec(text); match; match = attribute.exec(text)) {
    end = attribute.lastIndex;
    const name = (match[1] ?? '').toLowerCase();
    if (!attributes.has(name)) attributes.set(name, match[2] ?? match[3] ?? match[4] ?? '');
  }
  return { attributes, end };
}

function findDeclared(attributes: Map<string, string>): string | null {
  const isPragma = attributes.get('http-equiv')?.toLowerCase() === 'content-type';
  const [, double, single, bare] = labelInContent.exec(attributes.get('content') ?? '') ?? [];
  const label = attributes.get('charset') ?? (isPragma ? (double ?? single ?? bare) : undefined);
  const encoding = label === undefined ? null : findEncoding(label);
  // A declaration that is read byte by byte is not in UTF-16.
  if (encoding?.startsWith('UTF-16')) return 'UTF-8';
  return encoding === 'x-user-defined' ? 'windows-1252' : encoding;
}
