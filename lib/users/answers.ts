import { z } from 'zod';
import { userStatuses } from '../../db/schema/users';

const person = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  role: z.string(),
  status: z.enum(userStatuses),
});

/** GET /api/users answers of each, and POST, PUT and PATCH of the one. */
export const personAnswer = person
  .extend({
    version: z.int().describe('What an edit names, so that a stale one is told.'),
    createdAt: z.iso.datetime(),
    lastSeenAt: z.iso.datetime().nullable().describe('Null for somebody who never signed in.'),
  })
  .meta({ title: 'User' });

/** A user as a choice offers them (spec 001, section 3). */
export const walletUserAnswer = person
  .extend({ balance_cents: z.int().optional().describe('USD cents; only for who manages wallets.') })
  .meta({ title: 'WalletUser' });

/** POST /api/profile/avatar. */
export const avatarAnswer = z.object({ avatar: z.string().describe("The picture's hash.") });
