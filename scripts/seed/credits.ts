import { db } from '@/db/client';
import type { Actor } from '@/lib/access/actor';
import { adjustmentsAccount, postTransfer, walletAccount } from '@/lib/ledger/post-transfer';
import { formatUsd, walletCurrency } from '@/lib/money';
import { recordAudit } from '@/lib/platform/audit/record';

/** A change of a wallet by USD cents that the history makes anyway: an order, a refund or a paid top-up. */
export type WalletChange = { at: Date; cents: number };

export type Credit = { at: Date; amountCents: number };

/** A credit pays for the next orders, and is a multiple of this amount. */
const ordersPerCredit = 4;
const roundToCents = 5_000;
/** A bank transfer is credited some hours before the order that needs it. */
const leadMs = 7 * 3_600_000;

/**
 * Plans the credits of a wallet, so that it pays for every order when it is placed, and has at least a given balance at
 * the end.
 * @param changes in the order of their times
 */
export function planCredits(changes: readonly WalletChange[], endsWithCents: number): Credit[] {
  const credits: Credit[] = [];
  let balance = 0;
  for (const [index, { at, cents }] of changes.entries()) {
    balance += cents;
    if (balance >= 0) continue;
    const next = changes.slice(index + 1).filter((change) => change.cents < 0);
    const planned = next.slice(0, ordersPerCredit - 1).reduce((sum, change) => sum - change.cents, -balance);
    const amountCents = Math.ceil(planned / roundToCents) * roundToCents;
    credits.push({ at: new Date(at.getTime() - leadMs), amountCents });
    balance += amountCents;
  }
  // More is left only if an order was refunded after the last one.
  const [first] = credits;
  if (first) first.amountCents += Math.max(0, endsWithCents - balance);
  return credits;
}

/** Credits a wallet manually, once for each number of the user's credits. */
export async function creditWallet(
  admin: Actor,
  person: { id: string; email: string },
  { number, amountCents }: { number: number; amountCents: number },
): Promise<void> {
  await db().transaction(async (tx) => {
    const note = number === 1 ? 'Opening credit' : 'Bank transfer received';
    const { replayed } = await postTransfer(tx, {
      key: `manual:demo-credit-${number}:${person.id}`,
      kind: 'manual_topup',
      from: adjustmentsAccount,
      to: walletAccount(person.id),
      amountCents,
      currency: walletCurrency,
      actorId: admin.userId,
      method: 'Manual',
      note,
    });
    if (replayed) return;
    await recordAudit(tx, admin, {
      action: 'wallet.topped_up',
      details: `${note}: ${formatUsd(amountCents)} for ${person.email}.`,
      entityType: 'wallet',
      entityId: person.id,
      amountCents,
    });
  });
}
