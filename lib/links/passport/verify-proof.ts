import { type ProofStatement, parseStatement } from './statement';

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
export type ProofFault = 'statement' | 'id' | 'signature' | 'unknown key' | 'expired key';

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
