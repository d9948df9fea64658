import { createHash } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { type BankCurrency, bankTransferRequests } from '@/db/schema/bank-transfers';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { newId } from '@/lib/ids';
import { convertFromUsdCents, formatMoney, formatUsd, walletCurrency } from '@/lib/money';
import { requireTopupAmount } from '@/lib/payments/top-ups/create-intent';
import { recordAudit } from '@/lib/platform/audit/record';
import { dayMs } from '@/lib/platform/durations';
import { consumeLimit } from '@/lib/platform/rate-limits/consume';
import { getExchangeRates } from '@/lib/settings/exchange-rates';
import { findReferenceRate } from '@/lib/settings/reference-rates';
import { readOperator } from '@/lib/tax/operator';
import type { TransferRequest } from './postings';
import { createReference, formatReference } from './reference';

/** How long a request is shown as open. */
const openDays = 30;

type RequestInput = {
  /** Integer USD cents. */
  amountCents: number | null;
  /** Of the transfer; by default that of the operator's first account. */
  currency?: BankCurrency | undefined;
};

/**
 * Creates the request of a top-up by bank transfer, with the reference by which its money is recognized.
 * @param idempotencyKey a repeated request with the same key returns the first one
 * @throws AppError invalid_input for the amount, not_configured without an account or a rate, rate_limited, conflict when
 * the key was used for another request
 */
export async function requestTransfer(
  actor: Actor,
  { amountCents: asked, currency }: RequestInput,
  idempotencyKey: string | null = null,
): Promise<TransferRequest> {
  const amountCents = requireTopupAmount(asked);
  const requestHash = createHash('sha256')
    .update(JSON.stringify([amountCents, currency]))
    .digest('hex');
  const known = idempotencyKey === null ? null : await findKnown(actor.accountId, idempotencyKey, requestHash);
  if (known) return known;
  const { bankAccounts } = (await readOperator()).operator;
  const account = currency ? bankAccounts.find((one) => one.currency === currency) : bankAccounts[0];
  if (!account) {
    const where = currency && bankAccounts.length > 0 ? `in ${currency}` : 'by bank transfer';
    throw new AppError('not_configured', `Payments ${where} are not available. Please choose another method.`);
  }
  const rateMicros = account.currency === walletCurrency ? null : await requireRate(account.currency);
  const payMinor = rateMicros === null ? amountCents : convertFromUsdCents(amountCents, rateMicros);
  await consumeLimit('topup', { account: actor.userId, address: actor.ip });
  return db().transaction(async (tx) => {
    const id = newId();
    const [written] = await tx
      .insert(bankTransferRequests)
      .values({
        ...{ id, accountId: actor.accountId, reference: createReference(), amountCents, payMinor, rateMicros, account },
        currency: account.currency,
        expiresAt: new Date(Date.now() + openDays * dayMs),
        ...(idempotencyKey !== null && { idempotencyKey, requestHash }),
      })
      .onConflictDoNothing({ target: [bankTransferRequests.accountId, bankTransferRequests.idempotencyKey] })
      .returning();
    if (!written) {
      const first = idempotencyKey === null ? null : await findKnown(actor.accountId, idempotencyKey, requestHash);
      if (first) return first;
      throw new AppError('conflict', 'This top-up could not be started. Please try again.');
    }
    const pay =
      payMinor === amountCents && rateMicros === null
        ? ''
        : `, to be paid as ${formatMoney(payMinor, account.currency)}`;
    await recordAudit(tx, actor, {
      action: 'bank_transfer.requested',
      details: `Top-up of ${formatUsd(amountCents)} by bank transfer ${formatReference(written.reference)} started${pay}.`,
      entityType: 'bank_transfer_request',
      entityId: id,
      amountCents,
    });
    return written;
  });
}

/** @throws AppError conflict when the key was used for another request */
async function findKnown(
  accountId: string,
  idempotencyKey: string,
  requestHash: string,
): Promise<TransferRequest | null> {
  const [known] = await db()
    .select()
    .from(bankTransferRequests)
    .where(and(eq(bankTransferRequests.accountId, accountId), eq(bankTransferRequests.idempotencyKey, idempotencyKey)));
  if (!known || known.requestHash === requestHash) return known ?? null;
  const message = 'This Idempotency-Key was already used for another top-up.';
  throw new AppError('conflict', message, { fields: { idempotencyKey: message } });
}

/** Returns today's rate, which the credit will nearly have. @throws AppError not_configured without one */
async function requireRate(currency: 'EUR'): Promise<number> {
  const today = new Date().toISOString().slice(0, 10);
  const rate = (await findReferenceRate(currency, today))?.usdMicrosPerUnit ?? (await getExchangeRates()).get(currency);
  if (rate !== undefined) return rate;
  throw new AppError(
    'not_configured',
    `Bank transfers are in ${currency}, and there is no exchange rate for it yet. Please choose another method.`,
  );
}
