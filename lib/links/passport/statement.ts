import type { LinkVerdict } from '@/db/schema/links';

/** The statement of a link passport: what one check found. It names neither the order, nor its sides, nor a price. */
export type ProofStatement = {
  version: 1;
  /** The id of the passport. */
  id: string;
  /** The public URL of the installation that signed. */
  issuer: string;
  /** The page that was checked, and its URL after redirects. */
  page: string;
  finalUrl: string;
  /** The URL that the link leads to. */
  target: string;
  /** The tokens of the link's `rel`; empty without. */
  rel: string;
  anchor: string;
  /** Whether search engines may index the page; null if unknown. */
  indexable: boolean | null;
  /** `changed`: the link was found, with differences from what was ordered. */
  verdict: Extract<LinkVerdict, 'ok' | 'changed'>;
  /** SHA-256 of the page's visible text, in hexadecimal; empty if unknown. */
  textHash: string;
  /** ISO 8601 in UTC, with milliseconds. */
  checkedAt: string;
  /** The newest seal of the installation's audit log when the statement was signed; null before the first. */
  audit: { position: number; hash: string } | null;
};

type Json = string | number | boolean | null | { [name: string]: Json };

/**
 * Serializes a value as RFC 8785 (JSON Canonicalization Scheme) defines: no whitespace, the names of an object sorted by
 * UTF-16 code units, the shortest escapes. Numbers are limited to safe integers, because other numbers have several
 * forms in other implementations.
 * @throws Error for any other number and for text that is not valid Unicode
 */
export function canonicalize(value: Json): string {
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value) || Object.is(value, -0)) throw new Error(`${value} is not a safe integer.`);
    return String(value);
  }
  if (value === null || typeof value === 'boolean') return String(value);
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${entries.map(([name, part]) => `${quote(name)}:${canonicalize(part)}`).join()}}`;
}

function quote(text: string): string {
  if (/\p{Surrogate}/u.test(text)) throw new Error('The text contains half of a surrogate pair.');
  return JSON.stringify(text);
}

/**
 * Parses the text of a statement.
 * @returns null if it is not the canonical form of a statement, so that no text has two readings: repeated names,
 * unknown names, and numbers or escapes in another form are refused
 */
export function parseStatement(text: string): ProofStatement | null {
  try {
    const value: unknown = JSON.parse(text);
    return isStatement(value) && canonicalize(value) === text ? value : null;
  } catch {
    // Not JSON, or not canonical.
    return null;
  }
}

const isText = (value: unknown) => typeof value === 'string';
const isHash = (value: unknown) => isText(value) && /^[0-9a-f]{64}$/.test(String(value));
const isTime = (value: unknown) => isText(value) && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(String(value));

const fields: Record<keyof ProofStatement, (value: unknown) => boolean> = {
  version: (value) => value === 1,
  id: isText,
  issuer: isText,
  page: isText,
  finalUrl: isText,
  target: isText,
  rel: isText,
  anchor: isText,
  indexable: (value) => value === null || typeof value === 'boolean',
  verdict: (value) => value === 'ok' || value === 'changed',
  textHash: (value) => value === '' || isHash(value),
  checkedAt: (value) => isTime(value) && !Number.isNaN(Date.parse(String(value))),
  audit: (value) => value === null || hasFields(value, { position: Number.isSafeInteger, hash: isHash }),
};

const isStatement = (value: unknown): value is ProofStatement => hasFields(value, fields);

/** Whether a value is an object with exactly these fields. */
function hasFields(value: unknown, expected: Record<string, (value: unknown) => boolean>): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const entries = Object.entries(value);
  return (
    entries.length === Object.keys(expected).length &&
    entries.every(([name, part]) => Object.hasOwn(expected, name) && expected[name]?.(part))
  );
}
