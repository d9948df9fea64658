/**
 * Checks whether a text is an address, relative to a base if there is one. `URL.canParse` of Node.js 20 and 22 is not
 * reliable: its optimized code rejects every address with a Latin-1 letter such as ü, after some thousand calls.
 */
export function canParseUrl(text: string, base?: string | URL): boolean {
  try {
    return Boolean(new URL(text, base));
  } catch {
    return false;
  }
}
