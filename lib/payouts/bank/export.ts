import { Readable } from 'node:stream';
import { asc, eq } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { payoutBatches, payouts } from '@/db/schema/payouts';
import type { Actor } from '@/lib/access/actor';
import { requireNotOwn } from '@/lib/approvals/request';
import { AppError } from '@/lib/errors';
import { newId } from '@/lib/ids';
import { formatUsd, walletCurrency } from '@/lib/money';
import type { BankFileFormat, ExportPayoutsInput } from '@/lib/payouts/contract';
import { bankDetails } from '@/lib/payouts/methods/contract';
import { openMethodsOf } from '@/lib/payouts/methods/show';
import { lockPayouts, movePayout, requireApproved } from '@/lib/payouts/move-payout';
import { getNetCents, type Payout } from '@/lib/payouts/postings';
import { getPayoutRules } from '@/lib/payouts/rules';
import { recordAudit } from '@/lib/platform/audit/record';
import type { Attachment } from '@/lib/platform/http/attachment-response';
import type { BankBatch, BankPayout } from './batch';
import { buildPain001, buildPayoutCsv } from './payout-files';

type Batch = typeof payoutBatches.$inferSelect;

/**
 * Puts approved payouts to bank accounts into a bank file and moves them to `sent`. A payout is in one batch at most; the
 * file of a batch is the same at every download.
 * @throws AppError conflict without the payer's account, or for a payout that is not an approved one to a bank account;
 * forbidden for the actor's own payout; unprocessable for details that no bank accepts. Nothing is exported then.
 */
export async function exportPayouts(actor: Actor, { format, ids }: ExportPayoutsInput): Promise<{ id: string }> {
  return db().transaction(async (tx) => {
    const { rules } = await getPayoutRules(tx);
    if (!rules.payer) {
      throw new AppError('conflict', 'Enter the account that payouts are paid from in Payout rules first.');
    }
    const rows = await lockPayouts(tx, ids);
    for (const payout of rows) {
      requireNotOwn(actor, payout.sellerId, 'export your own payout');
      requireApproved(payout, { kind: 'bank', target: 'a bank account', done: 'exported' });
    }
    const id = newId();
    const [batch] = await tx
      .insert(payoutBatches)
      .values({
        id,
        kind: format,
        payer: rules.payer,
        executionDate: nextWorkday(new Date()),
        payoutCount: rows.length,
        totalCents: rows.reduce((sum, payout) => sum + getNetCents(payout), 0),
        createdBy: actor.userId,
      })
      .returning();
    if (!batch) throw new Error('The batch was not inserted.');
    // Refuses details that no bank accepts before the payouts move.
    writeFile(format, await describeBatch(tx, batch, rows));
    await recordAudit(tx, actor, {
      action: 'payout_batch.created',
      details: `${rows.length === 1 ? '1 payout' : `${rows.length} payouts`} of ${formatUsd(batch.totalCents)} were exported as ${format}.`,
      entityType: 'payout_batch',
      entityId: id,
      amountCents: batch.totalCents,
    });
    for (const payout of rows)
      await movePayout(tx, actor, payout, { to: 'sent', what: 'was put into a bank file', change: { batchId: id } });
    return { id };
  });
}

/** Returns the next day from Monday to Friday, as YYYY-MM-DD in UTC. Banks move it if it is a holiday. */
function nextWorkday(now: Date): string {
  const day = new Date(now);
  do day.setUTCDate(day.getUTCDate() + 1);
  while (day.getUTCDay() === 0 || day.getUTCDay() === 6);
  return day.toISOString().slice(0, 10);
}

async function describeBatch(tx: Executor, batch: Batch, rows: readonly Payout[]): Promise<BankBatch> {
  const openMethod = await openMethodsOf(tx, rows);
  const toBankPayout = (payout: Payout): BankPayout => {
    const details = openMethod(payout);
    if (details?.kind !== 'bank') throw new Error(`The payout ${payout.id} has no bank account of its seller.`);
    return { endToEndId: payout.id, amountCents: getNetCents(payout), details, remittance: `Payout ${payout.id}` };
  };
  return {
    messageId: batch.id,
    createdAt: batch.createdAt,
    executionDate: batch.executionDate,
    payer: bankDetails.parse(batch.payer),
    currency: walletCurrency,
    payouts: rows.map(toBankPayout),
  };
}

const writeFile = (format: BankFileFormat, batch: BankBatch): string =>
  format === 'csv' ? buildPayoutCsv(batch) : buildPain001(batch);

/**
 * Opens the file of a batch for download, which the audit log records: it contains account numbers.
 * @throws AppError not_found, also for a batch without a file
 */
export async function openBatchFile(actor: Actor, id: string): Promise<Attachment> {
  return db().transaction(async (tx) => {
    const [batch] = await tx.select().from(payoutBatches).where(eq(payoutBatches.id, id));
    if (!batch || batch.kind === 'paypal') throw new AppError('not_found', 'This bank file does not exist.');
    const rows = await tx.select().from(payouts).where(eq(payouts.batchId, id)).orderBy(asc(payouts.id));
    const file = Buffer.from(writeFile(batch.kind, await describeBatch(tx, batch, rows)), 'utf8');
    await recordAudit(tx, actor, {
      action: 'payout_batch.downloaded',
      details: `The bank file of ${formatUsd(batch.totalCents)} was downloaded.`,
      entityType: 'payout_batch',
      entityId: id,
    });
    return {
      fileName: `payouts-${batch.executionDate}-${id}.${batch.kind === 'csv' ? 'csv' : 'xml'}`,
      mediaType: batch.kind === 'csv' ? 'text/csv; charset=utf-8' : 'application/xml; charset=utf-8',
      sizeBytes: file.byteLength,
      stream: Readable.from([file]),
    };
  });
}
