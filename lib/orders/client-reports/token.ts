import { createHmac, hkdfSync } from 'node:crypto';
import { env } from '@/lib/env';
import { isEqualConstantTime, type KeyRing, parseKeyRing } from '@/lib/platform/secrets';

/** An id of `newId` and 132 bits of a digest in base64url. */
const tokenForm = /^([0-9a-z]{26})([\w-]{22})$/;

/** The purposes of signed texts: a signature for one is worthless for another. */
type TokenUse = 'report' | 'cookie' | 'stop';

function computeDigest(use: TokenUse, text: string, key: Buffer): string {
  const derived = Buffer.from(hkdfSync('sha256', key, '', `linkmarket client report ${use} 1`, 32));
  return createHmac('sha256', derived).update(text).digest('base64url').slice(0, 22);
}

/** Signs a text for a use with the first of SECRET_KEYS. */
export function signText(use: TokenUse, text: string, ring: KeyRing = parseKeyRing(env().SECRET_KEYS)): string {
  const [first] = ring;
  if (!first) throw new Error('SECRET_KEYS contains no key.');
  return computeDigest(use, text, first.key);
}

/** Checks a signature by any key of SECRET_KEYS, so that links stay valid while their key is in the ring. */
export function isSigned(
  use: TokenUse,
  text: string,
  signature: string,
  ring: KeyRing = parseKeyRing(env().SECRET_KEYS),
): boolean {
  // Without `some`, which would end at the first match.
  return ring.filter(({ key }) => isEqualConstantTime(signature, computeDigest(use, text, key))).length > 0;
}

/** Creates the token of a report. It is stored nowhere: a copy of the database does not contain it. */
const createReportToken = (id: string): string => `${id}${signText('report', id)}`;

/** Returns the id that a token names, and whether the token is genuine; null for a text of another form. */
export function readReportToken(token: string): { id: string; isGenuine: boolean } | null {
  const [, id, signature] = tokenForm.exec(token) ?? [];
  return id && signature ? { id, isGenuine: isSigned('report', id, signature) } : null;
}

/** Creates the public URL of a report. */
export const getReportUrl = (id: string): string => `${env().APP_URL}/reports/${createReportToken(id)}`;
