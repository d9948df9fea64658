import { createHash, randomBytes } from 'node:crypto';
import { env } from '@/lib/env';

/** 128 random bits in base64url. */
const tokenForm = /^[\w-]{22}$/;

/** Creates the token of a link. Only its hash is stored: a copy of the database does not contain it. */
export function createLinkToken(): { token: string; hash: string } {
  const token = randomBytes(16).toString('base64url');
  return { token, hash: hash(token) };
}

const hash = (token: string): string => createHash('sha256').update(token).digest('hex');

/** Returns the hash of a token; null for a text of another form. */
export const hashLinkToken = (token: string): string | null => (tokenForm.test(token) ? hash(token) : null);

/** Creates the public URL of a link. */
export const getApprovalUrl = (token: string): string => `${env().APP_URL}/approve/${token}`;
