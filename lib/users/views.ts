import { z } from 'zod';
import { type UserStatus, userStatuses } from '../../db/schema/users';

/** A person and their wallet, as `queries.ts` reads them. */
export type WalletUserRow = {
  id: string;
  name: string;
  email: string;
  role: string;
  status: UserStatus;
  /** Integer USD cents. */
  balanceCents: number;
};

/** A user as a choice offers them (spec 001, section 3); with the wallet's balance for who manages wallets. */
export type WalletUserView = z.output<typeof walletUserAnswer>;

/** @param withBalance does the caller manage wallets? To others a balance is nobody's business. */
export function walletUserView({ balanceCents, ...user }: WalletUserRow, withBalance: boolean): WalletUserView {
  return withBalance ? { ...user, balance_cents: balanceCents } : user;
}

/** A person, as `directory-queries.ts` reads them for Manage Users. */
export type PersonRow = {
  id: string;
  name: string;
  email: string;
  role: string;
  status: UserStatus;
  permissions: string[];
  version: number;
  createdAt: Date;
  /** Of the session used last; null for somebody who never signed in. */
  lastSeenAt: Date | null;
};

/** What GET /api/users answers of each, and POST, PUT and PATCH of the one. */
export type PersonView = z.output<typeof personAnswer>;

export function personView({ id, name, email, role, status, version, createdAt, lastSeenAt }: PersonRow): PersonView {
  return {
    id,
    name,
    email,
    role,
    status,
    version,
    createdAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt?.toISOString() ?? null,
  };
}

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
