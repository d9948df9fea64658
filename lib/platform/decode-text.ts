import { getBOMEncoding, labelToName, legacyHookDecode, TextDecoder } from '@exodus/bytes/encoding.js';

/*
 * Decodes bytes by the Encoding standard of browsers. The TextDecoder of Node.js knows fewer encodings, and some versions of
 * it read windows-1252 as ISO-8859-1: the bytes 0x80 to 0x9F, such as quotes and the euro sign, are lost.
 */

/**
 * Finds an encoding by its label, such as "latin1" or "Shift-JIS", without regard to case and spaces.
 * @returns the standard's name of the encoding, or null for an unknown label
 */
export const findEncoding = (label: string): string | null => labelToName(label);

/** Finds the encoding that the byte order mark at the beginning of a text states. @returns null without one */
export const findMarkedEncoding = (bytes: Uint8Array): string | null => getBOMEncoding(bytes);

/**
 * Decodes a text and removes its byte order mark, which wins over the encoding. Bytes that are not valid become U+FFFD.
 * @param encoding a known label
 */
export const decodeText = (bytes: Uint8Array, encoding: string): string => legacyHookDecode(bytes, encoding);

/** Creates a decoder for a text that arrives in chunks. */
export const createTextDecoder = (encoding: string, options?: TextDecoderOptions): globalThis.TextDecoder =>
  new TextDecoder(encoding, options);

/** Decodes a text in UTF-8 and removes its byte order mark. @returns null when the bytes are not valid UTF-8 */
export function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return createTextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (thrown) {
    // The decoder throws TypeError for invalid UTF-8.
    if (thrown instanceof TypeError) return null;
    throw thrown;
  }
}

/** Finds the encoding that the declaration of an XML document states. @returns null without a known one */
export function findXmlEncoding(bytes: Uint8Array): string | null {
  const start = decodeText(bytes.subarray(0, 1_024), 'windows-1252');
  const [, , label] = /^\s*<\?xml\s[^<>]*?\bencoding\s*=\s*(["'])\s*([\w.:-]+)\s*\1/.exec(start) ?? [];
  const encoding = label === undefined ? null : findEncoding(label);
  // A declaration that is read byte by byte is not in UTF-16.
  return encoding?.startsWith('UTF-16') ? 'UTF-8' : encoding;
}
