import { createHash } from 'node:crypto';

/** Hashes the token of an invitation's link as it is stored. */
export const hashInvitationToken = (token: string): string => createHash('sha256').update(token).digest('hex');
