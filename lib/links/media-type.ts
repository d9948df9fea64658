/** `essence` in lower case, such as "text/html"; `charset` as it is written, null without one. */
export type MediaType = { essence: string; charset: string | null };

/**
 * Reads the media type of a response as browsers do (Fetch, "extract a MIME type"): of several values the last valid one
 * counts, with the charset of an earlier one for the same type.
 * @param values those of the header Content-Type
 * @returns null without a valid value
 */
export const readMediaType = (values: readonly string[]): MediaType | null =>
  values.flatMap(splitList).reduce<MediaType | null>((found, value) => {
    const type = parseMediaType(value);
    if (type === null || type.essence === '*/*') return found;
    return { ...type, charset: type.charset ?? (found?.essence === type.essence ? found.charset : null) };
  }, null);

/** Checks whether browsers parse a type as XML, also XHTML. */
export const isXmlType = ({ essence }: MediaType): boolean => /^(text|application)\/xml$|\+xml$/.test(essence);

/** Splits at commas outside of quotes. */
const splitList = (value: string): string[] => value.match(/(?:[^,"]|"(?:[^"\\]|\\.)*"?)+/g) ?? [];

function parseMediaType(text: string): MediaType | null {
  const [start, essence] = /^\s*([\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+)\s*(?=;|$)/.exec(text) ?? [];
  if (start === undefined || essence === undefined) return null;
  const parameters = text.slice(start.length).matchAll(/;([^;=]*)=\s*(?:"((?:[^"\\]|\\.)*)"?|([^;]*))/g);
  const values = [...parameters].flatMap(([, name = '', quoted, bare = '']) =>
    name.trim().toLowerCase() === 'charset' ? [quoted?.replace(/\\(.)/g, '$1') ?? bare.trim()] : [],
  );
  // Single quotes have no meaning in HTTP, but occur.
  const charset = values[0]?.replace(/^'(.*)'$/, '$1').trim();
  return { essence: essence.toLowerCase(), charset: charset || null };
}
