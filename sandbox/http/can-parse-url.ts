/**
 * Checks whether a text is an address. `URL.canParse` of Node.js 20 and 22 is not reliable: after some thousand calls it
 * rejects every address with a Latin-1 letter such as ü.
 */
export function canParseUrl(text: string): boolean {
  try {
    return Boolean(new URL(text));
  } catch {
    return false;
  }
}
