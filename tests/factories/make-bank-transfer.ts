import { sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { bankTransferRequests } from '@/db/schema/bank-transfers';
import { settings } from '@/db/schema/settings';
import type { Actor } from '@/lib/access/actor';
import { newId } from '@/lib/ids';
import type { TransferRequest } from '@/lib/payments/bank-transfers/postings';
import { createReference } from '@/lib/payments/bank-transfers/reference';
import { uploadStatement } from '@/lib/payments/bank-transfers/upload';
import { emptyOperator } from '@/lib/tax/operator';
import { creditStatement, operatorAccounts } from '@/tests/setup/bank-credits';

/** Gives the operator bank accounts; the rest of its identity stays. */
export async function offerBankTransfers(): Promise<void> {
  const bankAccounts = Object.values(operatorAccounts);
  await db()
    .insert(settings)
    .values({ key: 'operator', value: { ...emptyOperator, bankAccounts } })
    .onConflictDoUpdate({
      target: settings.key,
      set: { value: sql`settings.value || ${JSON.stringify({ bankAccounts })}::text::jsonb` },
    });
}

/** Inserts the request of a top-up of $100.00 in USD. */
export async function makeTransferRequest({ userId }: Pick<Actor, 'userId'>): Promise<TransferRequest> {
  const [request] = await db()
    .insert(bankTransferRequests)
    .values({
      ...{
        id: newId(),
        accountId: userId,
        reference: createReference(),
        amountCents: 10_000,
        payMinor: 10_000,
        currency: 'USD',
      },
      account: operatorAccounts.USD,
      expiresAt: new Date(Date.now() + 86_400_000),
    })
    .returning();
  if (!request) throw new Error('No request was inserted.');
  return request;
}

/** Uploads a transfer of $90.00 that has the reference of a request of $100.00, and waits in the list. */
export async function makePartialTransfer(staff: Actor, buyer: Pick<Actor, 'userId'>): Promise<TransferRequest> {
  await offerBankTransfers();
  const request = await makeTransferRequest(buyer);
  await uploadStatement(staff, creditStatement([{ cents: 9_000, text: request.reference, reference: newId() }]));
  return request;
}
