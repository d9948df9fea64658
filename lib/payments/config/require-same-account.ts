import { and, eq } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { payoutBatches, payouts } from '@/db/schema/payouts';
import { sourceRefunds } from '@/db/schema/source-refunds';
import type { PaymentProviderName, ProviderMode } from '@/db/schema/topups';
import { AppError } from '@/lib/errors';

/** The field that identifies our account at a provider. Stripe's account follows from its secret key alone. */
const accountFields: Partial<Record<PaymentProviderName, { field: string; name: string; by: string }>> = {
  paypal: { field: 'client_id', name: 'client ID', by: 'PayPal' },
  wechat: { field: 'mchid', name: 'merchant ID', by: 'WeChat Pay' },
};

type Change = {
  provider: PaymentProviderName;
  mode: ProviderMode;
  /** The stored values, and those that change. */
  known: Readonly<Record<string, string>>;
  changed: Readonly<Record<string, string>>;
};

/**
 * Refuses the change to another account of the provider while money moves in the stored one: the other account does not
 * know these refunds and payouts, so they would be made again or never end.
 * @throws AppError conflict
 */
export async function requireSameAccount(tx: Executor, { provider, mode, known, changed }: Change): Promise<void> {
  const account = accountFields[provider];
  if (!account || changed[account.field] === undefined || !known[account.field]) return;
  const refunds = await tx
    .select({ id: sourceRefunds.id })
    .from(sourceRefunds)
    .where(
      and(eq(sourceRefunds.provider, provider), eq(sourceRefunds.mode, mode), eq(sourceRefunds.state, 'processing')),
    );
  const open =
    provider === 'paypal'
      ? await tx
          .select({ id: payouts.id })
          .from(payouts)
          .innerJoin(payoutBatches, eq(payoutBatches.id, payouts.batchId))
          .where(and(eq(payouts.state, 'sent'), eq(payoutBatches.kind, 'paypal'), eq(payoutBatches.mode, mode)))
      : [];
  const waiting = [
    ...(refunds.length > 0 ? [refunds.length === 1 ? '1 refund' : `${refunds.length} refunds`] : []),
    ...(open.length > 0 ? [open.length === 1 ? '1 payout' : `${open.length} payouts`] : []),
  ];
  if (waiting.length === 0) return;
  throw new AppError(
    'conflict',
    `${waiting.join(' and ')} by ${account.by} ${refunds.length + open.length === 1 ? 'is' : 'are'} in progress in the account of the stored ${account.name}. Wait for the result, then change the ${account.name}. Nothing was changed.`,
  );
}
