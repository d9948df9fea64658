import { and, asc, eq, lt, notInArray, sql } from 'drizzle-orm';
import { createElement } from 'react';
import { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { isEarningOut } from '@/db/schema/ledger';
import {
  sellerBillingProfiles,
  sellerStatementCounters,
  sellerStatementLines,
  sellerStatements,
} from '@/db/schema/seller-statements';
import { type AnyActor, systemActor } from '@/lib/access/actor';
import { systemActors } from '@/lib/access/system-actors';
import { findAccount, getMonths } from '@/lib/earnings/accounts';
import { newId } from '@/lib/ids';
import { queueMail } from '@/lib/mail/compose';
import { findMailRecipient } from '@/lib/mail/recipients';
import { StatementMail } from '@/lib/mail/templates/sellers';
import { formatUsd } from '@/lib/money';
import { createNotification } from '@/lib/notifications/notifications';
import { recordAudit } from '@/lib/platform/audit/record';
import { log } from '@/lib/platform/log/log';
import { findAccountingRate, toAccountingTax } from '@/lib/tax/accounting-tax';
import { readDocumentOperator } from '@/lib/tax/document-operator';
import { lastDayOf, statementNumber } from './contract';
import type { BillingProfile } from './profile';
import { decideSellerTax, splitTax } from './seller-tax';

const maxPerRun = 200;
/** Longer than any transaction: a transfer is dated when its transaction starts, and visible when it ends. */
const graceMs = 3_600_000;

/**
 * Issues the self-billed statements of all months that are over, the earliest month first, for sellers who agreed to
 * self-billing. A month in which nothing became payable and no fee was charged has no statement. Each seller and month has
 * a transaction of its own, so an interrupted run continues in the next, and several instances may run at once.
 */
export async function issueSellerStatements(now = new Date()): Promise<Record<'issued' | 'empty' | 'failed', number>> {
  const counts = { issued: 0, empty: 0, failed: 0 };
  const currentMonth = new Date(now.getTime() - graceMs).toISOString().slice(0, 7);
  const failed: string[] = [];
  for (let claimed = 0; claimed < maxPerRun; claimed += 1) {
    let sellerId = '';
    try {
      const result = await db().transaction(async (tx) => {
        const [profile] = await tx
          .select()
          .from(sellerBillingProfiles)
          .where(
            and(
              lt(sellerBillingProfiles.nextMonth, currentMonth),
              failed.length > 0 ? notInArray(sellerBillingProfiles.sellerId, failed) : undefined,
            ),
          )
          .orderBy(asc(sellerBillingProfiles.nextMonth), asc(sellerBillingProfiles.sellerId))
          .limit(1)
          .for('update', { skipLocked: true });
        if (!profile) return null;
        sellerId = profile.sellerId;
        return issueMonth(tx, profile, now);
      });
      if (result === null) break;
      counts[result] += 1;
    } catch (thrown) {
      if (sellerId === '') throw thrown;
      failed.push(sellerId);
      counts.failed += 1;
      log().warn({ seller: sellerId, err: thrown }, 'A self-billed statement could not be issued.');
    }
  }
  return counts;
}

/** Issues the statement of the next month of a locked profile, if there is something to bill. */
async function issueMonth(tx: Executor, profile: BillingProfile, now: Date): Promise<'issued' | 'empty'> {
  const { sellerId, nextMonth: month } = profile;
  await tx
    .update(sellerBillingProfiles)
    .set({ nextMonth: followingMonth(month) })
    .where(eq(sellerBillingProfiles.sellerId, sellerId));
  const account = await findAccount(sellerId, 'pending', tx);
  const found = account && (await getMonths(account, tx)).find((row) => row.month === month);
  const feeCents = await sumFees(tx, sellerId, month);
  if ((found?.ripened ?? 0) === 0 && feeCents === 0) return 'empty';
  const lines = account && found ? await readLines(tx, account.id, found) : [];
  const year = now.getUTCFullYear();
  const billedCents = lines.reduce((sum, { amountCents }) => sum + amountCents, 0);
  const day = lastDayOf(month);
  const operator = await readDocumentOperator(tx);
  const line = splitTax(billedCents, decideSellerTax(operator, profile, day));
  const statement = {
    id: newId(),
    year,
    number: await allocateNumber(tx, year),
    sellerId,
    month,
    billedCents,
    taxCents: line.taxCents,
    taxes: [line],
    accountingTax: toAccountingTax(await findAccountingRate(profile.country, day, tx), line.taxCents),
    feeCents,
    earnedCents: found?.in ?? 0,
    returnedCents: (found?.out ?? 0) - (found?.ripened ?? 0),
    placementCount: lines.length,
    legalName: profile.legalName,
    address: profile.address,
    taxId: profile.taxId,
    country: profile.country,
    operator: operator.identity,
    issuedAt: now,
  };
  await tx.insert(sellerStatements).values(statement);
  for (let start = 0; start < lines.length; start += linesPerInsert) {
    const part = lines.slice(start, start + linesPerInsert);
    await tx.insert(sellerStatementLines).values(part.map((line) => ({ ...line, statementId: statement.id })));
  }
  await announce(tx, systemActor(systemActors.earnings, 'job'), statement);
  return 'issued';
}

const linesPerInsert = 1_000;

/** @param month YYYY-MM */
function followingMonth(month: string): string {
  const start = new Date(`${month}-01T00:00:00Z`);
  return new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1)).toISOString().slice(0, 7);
}

const lineRow = z.object({ orderId: z.int(), website: z.string(), amountCents: z.coerce.number() });

/** Returns what became payable of each placement in a month. */
async function readLines(
  tx: Executor,
  accountId: number,
  { month, first, last }: { month: string; first: number; last: number },
) {
  const rows = await tx.execute(sql`
    select t.order_id as "orderId", coalesce(max(orders.website), '') as website, sum(t.amount_cents) as "amountCents"
    from (
      select order_id, amount_cents from ledger.transfers
      where from_account = ${accountId}::bigint and from_version between ${first} and ${last} and ${isEarningOut}
        and kind = 'ripening' and to_char(effective_at at time zone 'UTC', 'YYYY-MM') = ${month}
    ) as t left join orders on orders.id = t.order_id
    group by t.order_id order by t.order_id`);
  return z.array(lineRow).parse([...rows]);
}

const feeRow = z.object({ cents: z.coerce.number() });

/** Returns the fees of a seller's payouts in a month, less those that were returned in it, in USD cents. */
async function sumFees(tx: Executor, sellerId: string, month: string): Promise<number> {
  const [row] = await tx.execute(sql`
    select coalesce(sum(case when t.key like '%:fee' then t.amount_cents else -t.amount_cents end), 0) as cents
    from payouts p join ledger.transfers t on t.key in ('payout:' || p.id || ':fee', 'payout:' || p.id || ':fee-returned')
    where p.seller_id = ${sellerId} and p.fee_cents > 0
      and to_char(t.effective_at at time zone 'UTC', 'YYYY-MM') = ${month}`);
  return feeRow.parse(row).cents;
}

async function allocateNumber(tx: Executor, year: number): Promise<number> {
  const [counter] = await tx
    .insert(sellerStatementCounters)
    .values({ year, last: 1 })
    .onConflictDoUpdate({
      target: sellerStatementCounters.year,
      set: { last: sql`${sellerStatementCounters.last} + 1` },
    })
    .returning({ last: sellerStatementCounters.last });
  if (!counter) throw new Error('The counter of statements was not incremented.');
  return counter.last;
}

type Issued = typeof sellerStatements.$inferInsert;

async function announce(tx: Executor, actor: AnyActor, statement: Issued): Promise<void> {
  const { sellerId, billedCents, month } = statement;
  const name = statementNumber(statement);
  await recordAudit(tx, actor, {
    action: 'seller_statement.issued',
    details: `${name} for ${formatUsd(billedCents)} was issued for ${month}.`,
    entityType: 'seller_statement',
    entityId: name,
    amountCents: billedCents,
  });
  await createNotification(tx, actor, { userId: sellerId, kind: 'statement.issued', subject: name });
  const recipient = await findMailRecipient(tx, sellerId);
  if (!recipient || recipient.off.has('seller-statement')) return;
  await queueMail(tx, {
    kind: 'seller-statement',
    to: recipient.email,
    subject: `Self-billed statement ${name}`,
    body: (context) =>
      createElement(StatementMail, {
        ...context,
        name,
        month,
        amount: formatUsd(billedCents),
        url: `${context.appUrl}/seller/earnings/self-billing`,
      }),
  });
}
