import type { UserStatus } from '../../db/schema/users';

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

/** A user of the wallet manager (spec 001, section 3), with the wallet's balance. */
export type WalletUserView = Omit<WalletUserRow, 'balanceCents'> & { balance_cents: number };

export function walletUserView({ balanceCents, ...user }: WalletUserRow): WalletUserView {
  return { ...user, balance_cents: balanceCents };
}
