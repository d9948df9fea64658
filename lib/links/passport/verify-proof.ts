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

/** Checks whether a value is an object with exactly these fields. */
function hasFields(value: unknown, expected: Record<string, (value: unknown) => boolean>): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const entries = Object.entries(value);
  return (
    entries.length === Object.keys(expected).length &&
    entries.every(([name, part]) => Object.hasOwn(expected, name) && expected[name]?.(part))
  );
}

/** A link passport, as `GET /api/proofs/{id}` returns it. */
export type Proof = {
  /** The JSON text that was signed (statement.ts). */
  statement: string;
  /** The Ed25519 signature (RFC 8032) over the UTF-8 bytes of `statement`, in base64url. */
  signature: string;
  keyId: string;
  /** ISO 8601; null unless the passport was revoked. */
  revokedAt: string | null;
};

/** A public key as a JWK (RFC 8037). */
export type ProofKey = {
  kty: 'OKP';
  crv: 'Ed25519';
  /** The 32 bytes of the key in base64url. */
  x: string;
  /** The JWK thumbprint (RFC 7638). */
  kid: string;
  /** The end of its use in seconds since 1970; without it, the key is in use. Later checks are not signed by it. */
  exp?: number | undefined;
};

/** Why a passport is not valid. */
type ProofFault = 'statement' | 'id' | 'signature' | 'unknown key' | 'expired key';

export type Verification =
  | { state: 'valid' | 'revoked'; statement: ProofStatement }
  | { state: 'invalid'; fault: ProofFault }
  /** The browser has no Ed25519, or the page was not loaded over https. */
  | { state: 'unsupported' };

/**
 * Verifies a passport with WebCrypto, in browsers and in Node.js.
 * @param keys the keys that the issuer publishes
 * @param id the id under which the passport was found, if any
 */
export async function verifyProof(proof: Proof, keys: readonly ProofKey[], id?: string): Promise<Verification> {
  const statement = parseStatement(proof.statement);
  if (!statement) return { state: 'invalid', fault: 'statement' };
  const key = keys.find(({ kid }) => kid === proof.keyId);
  if (!key) return { state: 'invalid', fault: 'unknown key' };
  const isSigned = await verifySignature(proof, key);
  if (isSigned === null) return { state: 'unsupported' };
  if (!isSigned) return { state: 'invalid', fault: 'signature' };
  if (id !== undefined && statement.id !== id) return { state: 'invalid', fault: 'id' };
  if (key.exp !== undefined && Date.parse(statement.checkedAt) > key.exp * 1000) {
    return { state: 'invalid', fault: 'expired key' };
  }
  return { state: proof.revokedAt === null ? 'valid' : 'revoked', statement };
}

/** Returns null if this environment cannot verify Ed25519. */
async function verifySignature({ statement, signature }: Proof, { kty, crv, x }: ProofKey): Promise<boolean | null> {
  // Browsers have no `subtle` on pages that were not loaded over https.
  if (!globalThis.crypto?.subtle) return null;
  const [signatureBytes, keyBytes] = [decodeBase64Url(signature), decodeBase64Url(x)];
  if (signatureBytes?.length !== 64 || keyBytes?.length !== 32) return false;
  try {
    const key = await crypto.subtle.importKey('jwk', { kty, crv, x }, 'Ed25519', false, ['verify']);
    return await crypto.subtle.verify('Ed25519', key, signatureBytes, new TextEncoder().encode(statement));
  } catch (thrown) {
    // DataError: the 32 bytes are not a point of the curve. Browsers without Ed25519 throw various other errors.
    return thrown instanceof Error && thrown.name === 'DataError' ? false : null;
  }
}

/** Decodes base64url without padding. @returns null for any other form, so that equal bytes have one text only */
function decodeBase64Url(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[\w-]+$/.test(text) || text.length % 4 === 1) return null;
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  const again = btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  return again === text ? Uint8Array.from(binary, (character) => character.charCodeAt(0)) : null;
}

/** Describes why a passport is not valid. */
export const proofFaults: Record<ProofFault, string> = {
  statement: 'The statement was damaged or changed: it does not have the form that is signed.',
  id: 'The statement belongs to another passport.',
  signature: 'The statement or its signature was changed: they do not match.',
  'unknown key':
    'The issuer does not publish the key of this passport: another party signed it, or the key was withdrawn.',
  'expired key': 'The key of this passport was replaced before the time that the statement gives.',
};
