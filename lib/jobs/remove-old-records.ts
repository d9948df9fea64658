import { readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { and, inArray, isNull, lt, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { db } from '@/db/client';
import { accountInvitations } from '@/db/schema/accounts';
import { apiTokens } from '@/db/schema/api-tokens';
import { bankLines, namesPayer } from '@/db/schema/bank-transfers';
import { cartItems } from '@/db/schema/carts';
import { emailTokens } from '@/db/schema/email-tokens';
import { events } from '@/db/schema/events';
import { rateLimits } from '@/db/schema/limits';
import { linkHosts } from '@/db/schema/links';
import { mails } from '@/db/schema/mails';
import { notices } from '@/db/schema/notices';
import { orderQuotes } from '@/db/schema/orders';
import { briefArticles } from '@/db/schema/placements';
import { siteViewDays, siteViewMarks } from '@/db/schema/site-views';
import { webhookEvents } from '@/db/schema/topups';
import { sessions } from '@/db/schema/users';
import { removeRepeatedChecks } from '@/lib/orders/link-checks/remove-repeated';

/** The retention of ended sessions and API tokens, used links, sent mails and events, in days. */
const retentionDays = 30;
/** The retention of articles that neither a brief nor a cart names, in days. */
const articleRetentionDays = 7;

/** The retention of notifications in the bell, in days. */
const noticeRetentionDays = 60;

/**
 * The retention of processed events of payment providers, in days. Providers repeat and list events for up to 90 days, and
 * what an event changed stays in the top-up and the ledger.
 */
const paymentEventRetentionDays = 180;

/** The retention of expired quotes, in days: a repeat of placing one still answers its orders. */
const quoteRetentionDays = 1;

/** The retention of the daily counts of site views, in days. */
const viewRetentionDays = 90;

/**
 * The retention of payers in bank statements, in whole calendar years after that of the booking. Accounting records are
 * kept for ten years in France (Article L123-22 of the Code de commerce) and Italy (Article 2220 of the Codice civile), and
 * in most countries for a shorter time.
 */
const payerRetentionYears = 10;

/** The number of rows that one transaction deletes, and of transactions for each condition in one run. */
const batchSize = 1_000;
const maxBatches = 100;

/**
 * Deletes expired records: rate-limit counters whose window has ended; sessions, API tokens, mailed links and mails that
 * ended 30 days ago; invitations to accounts that ended; events with their deliveries after 30 days; articles that are older than 7 days and that neither a
 * brief nor a cart names, whose files the job remove-orphaned-content deletes; notifications after 60 days; quotes of
 * orders that expired a day ago; marks of site views when their day is over, and the daily counts of views after 90 days;
 * processed events of payment providers after 180 days; counters of hosts a day after their hour; checks of links that
 * repeat others after a year. The audit log keeps the events. Erases the payers and texts of old bank transfers. The next
 * run deletes what exceeds the limit of this one.
 */
export async function removeOldRecords(): Promise<
  Record<
    | 'rateLimits'
    | 'sessions'
    | 'apiTokens'
    | 'emailTokens'
    | 'mails'
    | 'invitations'
    | 'articles'
    | 'events'
    | 'notices'
    | 'quotes'
    | 'siteViews'
    | 'paymentEvents'
    | 'linkHosts'
    | 'linkChecks'
    | 'payers',
    number
  >
> {
  const longAgo: SQL = sql`now() - make_interval(days => ${retentionDays})`;
  const uploadedBefore: SQL = sql`now() - make_interval(days => ${articleRetentionDays})`;
  const today: SQL = sql`(now() at time zone 'UTC')::date`;
  return {
    rateLimits: await deleteRows(rateLimits.key, [lt(rateLimits.resetsAt, sql`now()`)]),
    sessions: await deleteRows(sessions.id, [lt(sessions.endedAt, longAgo), lt(sessions.expiresAt, longAgo)]),
    apiTokens: await deleteRows(apiTokens.id, [lt(apiTokens.revokedAt, longAgo), lt(apiTokens.expiresAt, longAgo)]),
    emailTokens: await deleteRows(emailTokens.id, [
      lt(emailTokens.usedAt, longAgo),
      lt(emailTokens.expiresAt, longAgo),
    ]),
    mails: await deleteRows(mails.id, [lt(mails.sentAt, longAgo), lt(mails.failedAt, longAgo)]),
    invitations: await deleteRows(accountInvitations.id, [lt(accountInvitations.expiresAt, sql`now()`)]),
    // With their deliveries and attempts.
    events: await deleteRows(events.id, [lt(events.createdAt, longAgo)]),
    notices: await deleteRows(notices.id, [
      lt(notices.createdAt, sql`now() - make_interval(days => ${noticeRetentionDays})`),
    ]),
    articles: await deleteRows(briefArticles.id, [
      and(
        isNull(briefArticles.attachedAt),
        lt(briefArticles.createdAt, uploadedBefore),
        sql`not exists (select from ${cartItems} where ${cartItems.brief} ->> 'articleId' = ${briefArticles.id})`,
      ),
    ]),
    quotes: await deleteRows(orderQuotes.id, [
      lt(orderQuotes.expiresAt, sql`now() - make_interval(days => ${quoteRetentionDays})`),
    ]),
    siteViews:
      (await deleteRows(siteViewMarks.mark, [lt(siteViewMarks.day, today)])) +
      // Whole days.
      (await deleteRows(siteViewDays.day, [lt(siteViewDays.day, sql`${today} - ${viewRetentionDays}::int`)])),
    paymentEvents: await deleteRows(webhookEvents.id, [
      lt(webhookEvents.processedAt, sql`now() - make_interval(days => ${paymentEventRetentionDays})`),
    ]),
    linkHosts: await deleteRows(linkHosts.host, [lt(linkHosts.hour, sql`now() - interval '1 day'`)]),
    linkChecks: await removeRepeatedChecks({ batchSize, maxBatches }),
    payers: await erasePayers(),
  };
}

/**
 * Deletes rows in batches of their own transaction.
 * @param key the primary key
 * @param conditions each is read by an index
 */
async function deleteRows(key: PgColumn, conditions: (SQL | undefined)[]): Promise<number> {
  let deleted = 0;
  for (const condition of conditions) {
    for (let batch = 0; batch < maxBatches; batch += 1) {
      const some = db().select({ key }).from(key.table).where(condition).limit(batchSize);
      // The condition again, because it is checked once more for a row that was locked and changed in the meantime.
      const { count } = await db()
        .delete(key.table)
        .where(and(inArray(key, some), condition));
      deleted += count;
      if (count < batchSize) break;
    }
  }
  return deleted;
}

/** Erases who paid bank transfers and their texts. The amounts stay, and what identifies a line in another file. */
async function erasePayers(): Promise<number> {
  const { id, bookedOn } = bankLines;
  const isOld = sql`${bookedOn} <
    (date_trunc('year', now() at time zone 'UTC') - make_interval(years => ${payerRetentionYears}))::date`;
  let erased = 0;
  for (let batch = 0; batch < maxBatches; batch += 1) {
    const some = db().select({ id }).from(bankLines).where(and(namesPayer, isOld)).limit(batchSize);
    const { count } = await db().update(bankLines).set({ payerName: '', remittance: '' }).where(inArray(id, some));
    erased += count;
    if (count < batchSize) break;
  }
  return erased;
}

/** The temporary folders of uploads (lib/platform/storage/spool.ts) and backups (lib/backup/run.ts). */
const tempFolderPattern = /^linkmarket-(upload|backup)-/;
/** Longer than any upload or backup. */
const abandonedMs = 24 * 60 * 60 * 1000;

/**
 * Deletes temporary folders of processes that were killed. A backup's folder contains the whole database.
 * @returns the number of folders deleted
 */
export async function removeTempFolders(): Promise<{ removed: number }> {
  const names = (await readdir(tmpdir())).filter((name) => tempFolderPattern.test(name));
  let removed = 0;
  for (const name of names) {
    const path = join(tmpdir(), name);
    const found = await stat(path).catch(ignoreMissing);
    if (!found || Date.now() - found.mtimeMs < abandonedMs) continue;
    await rm(path, { recursive: true, force: true });
    removed += 1;
  }
  return { removed };
}

/** Ignores a folder that its own process has removed in the meantime. */
function ignoreMissing(thrown: NodeJS.ErrnoException): null {
  if (thrown.code === 'ENOENT') return null;
  throw thrown;
}
