import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { getWalletBalance } from '@/lib/ledger/balance';
import { formatUsd, toDecimalString } from '@/lib/money';
import { getMissingCents } from './order/amounts';

/** Thrown inside a transaction. The error response is composed after the rollback, which frees the connection. */
export class InsufficientFunds extends Error {
  constructor(readonly totalCents: number) {
    super('The wallet balance is below the price.');
  }
}

/** Converts the refusal of the ledger to the error of what was to be paid, and returns any other error. */
export const toInsufficientFunds = (thrown: unknown, totalCents: number): unknown =>
  thrown instanceof AppError && thrown.code === 'insufficient_funds' ? new InsufficientFunds(totalCents) : thrown;

/**
 * Runs what pays from the actor's wallet in a transaction of its own.
 * @throws AppError insufficient_funds with `url` opening the top-up with the missing amount; and those of `pay`
 */
export async function withTopUpUrl<Result>(actor: Actor, pay: () => Promise<Result>): Promise<Result> {
  try {
    return await pay();
  } catch (thrown) {
    throw thrown instanceof InsufficientFunds ? await createShortageError(actor, thrown.totalCents) : thrown;
  }
}

/** Creates the error with the missing amount and the URL of its top-up. */
async function createShortageError(actor: Actor, totalCents: number): Promise<AppError> {
  const balanceCents = await getWalletBalance(actor.accountId);
  const missingCents = getMissingCents(totalCents, balanceCents);
  return new AppError(
    'insufficient_funds',
    `This costs ${formatUsd(totalCents)}, and your wallet balance is ${formatUsd(balanceCents)}. Add ${formatUsd(missingCents)} to pay.`,
    { url: `/user/wallet?topup=${toDecimalString(missingCents)}` },
  );
}
