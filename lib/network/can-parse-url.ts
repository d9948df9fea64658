/** Parses an address, relative to a base if there is one. @returns null for a text that is none */
export function parseUrl(text: string, base?: string | URL): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}

/**
 * Checks whether a text is an address, relative to a base if there is one. `URL.canParse` of Node.js 20 and 22 is not
 * reliable: its optimized code rejects every address with a Latin-1 letter such as ü, after some thousand calls.
 */
export const canParseUrl = (text: string, base?: string | URL): boolean => parseUrl(text, base) !== null;
