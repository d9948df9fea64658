import type { z } from 'zod';
import type { UserStatus } from '../../db/schema/users';
import type { personAnswer, walletUserAnswer } from './answers';

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
