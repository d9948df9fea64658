import { hasAccountRight } from '@/lib/access/account-roles';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { getWalletBalance } from '@/lib/ledger/balance';
import { formatUsd, toDecimalString } from '@/lib/money';
import { describeTaxError } from '@/lib/tax/buyer-tax';
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
 * @throws AppError insufficient_funds, with `url` opening the top-up with the missing amount for members who may top up; and
 * those of `pay`, without the page of the billing details for members who may not change them
 */
export async function withTopUpUrl<Result>(actor: Actor, pay: () => Promise<Result>): Promise<Result> {
  try {
    return await pay();
  } catch (thrown) {
    if (thrown instanceof InsufficientFunds) throw await createShortageError(actor, thrown.totalCents);
    throw describeTaxError(thrown, actor.accountRole);
  }
}

/**
 * Creates the error with the missing amount and the URL of its top-up. A member who may not view the balance learns only that
 * it does not suffice, and one who may not top up gets no URL.
 */
async function createShortageError({ accountId, accountRole }: Actor, totalCents: number): Promise<AppError> {
  const price = `This costs ${formatUsd(totalCents)}, and`;
  const ask = 'Ask a person with access to the wallet to add money.';
  if (!hasAccountRight(accountRole, 'account:balance'))
    return new AppError('insufficient_funds', `${price} the wallet balance is too low. ${ask}`);
  const balanceCents = await getWalletBalance(accountId);
  const missingCents = getMissingCents(totalCents, balanceCents);
  const balance = `${price} your wallet balance is ${formatUsd(balanceCents)}.`;
  if (!hasAccountRight(accountRole, 'account:wallet')) return new AppError('insufficient_funds', `${balance} ${ask}`);
  return new AppError('insufficient_funds', `${balance} Add ${formatUsd(missingCents)} to pay.`, {
    url: topUpUrl(missingCents),
  });
}

/** The page that adds an amount to the wallet. @param missingCents USD cents */
export const topUpUrl = (missingCents: number): string => `/user/wallet?topup=${toDecimalString(missingCents)}`;
