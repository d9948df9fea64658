import { z } from 'zod';
import { type UserStatus, userStatuses } from '@/db/schema/users';

/** A user with the wallet's balance, as `queries.ts` reads it. */
export type WalletUserRow = {
  id: string;
  name: string;
  email: string;
  role: string;
  status: UserStatus;
  /** Integer USD cents. */
  balanceCents: number;
};

/** A user in a list of choices; with the balance for callers with ManageWallets. */
export type WalletUserView = z.output<typeof walletUserResponse>;

/** @param withBalance whether the caller manages wallets; others do not see balances */
export function walletUserView({ balanceCents, ...user }: WalletUserRow, withBalance: boolean): WalletUserView {
  return withBalance ? { ...user, balance_cents: balanceCents } : user;
}

/** A user of Manage Users, as `directory-queries.ts` reads it. */
export type PersonRow = {
  id: string;
  name: string;
  email: string;
  role: string;
  status: UserStatus;
  permissions: string[];
  version: number;
  createdAt: Date;
  /** The last activity over all sessions; null for a user who has never signed in. */
  lastSeenAt: Date | null;
};

/** A user in the responses of /api/users. */
export type PersonView = z.output<typeof personResponse>;

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

/** The schema of a user in the responses of /api/users. */
export const personResponse = person
  .extend({
    version: z.int().describe('The version to send with an update, so that concurrent changes are detected.'),
    createdAt: z.iso.datetime(),
    lastSeenAt: z.iso.datetime().nullable().describe('Null for a user who has never signed in.'),
  })
  .meta({ title: 'User' });

/** The schema of a user in a list of choices. */
export const walletUserResponse = person
  .extend({ balance_cents: z.int().optional().describe('USD cents; only for callers who manage wallets.') })
  .meta({ title: 'WalletUser' });

/** POST /api/profile/avatar. */
export const avatarResponse = z.object({ avatar: z.string().describe("The picture's hash.") });
