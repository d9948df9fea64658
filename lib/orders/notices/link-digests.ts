import { and, desc, eq, inArray, isNull, sql } from 'drizzle-orm';
import { createElement } from 'react';
import { db, type Executor } from '@/db/client';
import { type CappedCount, countRows } from '@/db/count-up-to';
import { type LinkVerdict, linkDigests, linkVerdicts, linkWatches } from '@/db/schema/links';
import { verdictNames } from '@/lib/links/describe-reason';
import { queueMail } from '@/lib/mail/compose';
import { findMailRecipient } from '@/lib/mail/recipients';
import { LinkDigestMail } from '@/lib/mail/templates/orders';
import { isDue, secondsFromNow } from '@/lib/platform/leases';
import { log } from '@/lib/platform/log/log';

const maxPerRun = 200;
const retrySeconds = 60 * 60;
/** Links that a mail names. */
const maxNamed = 10;

/**
 * Queues the weekly mails about checked links, one for each buyer. Several instances may run concurrently: each takes
 * other rows. A mail that cannot be queued is tried again an hour later.
 * @returns the number of queued mails; of buyers who need none; and of failures
 */
export async function mailLinkDigests(): Promise<{ mailed: number; skipped: number; failed: number }> {
  const counts = { mailed: 0, skipped: 0, failed: 0 };
  for (let claimed = 0; claimed < maxPerRun; claimed += 1) {
    const result = await mailNext();
    if (result === null) break;
    counts[result] += 1;
  }
  return counts;
}

async function mailNext(): Promise<'mailed' | 'skipped' | 'failed' | null> {
  const [due] = await db()
    .update(linkDigests)
    .set({ dueAt: sql`now() + interval '7 days'` })
    .where(isDue({ id: linkDigests.userId, dueAt: linkDigests.dueAt, where: undefined, limit: 1 }))
    .returning({ userId: linkDigests.userId });
  if (!due) return null;
  try {
    return (await db().transaction((tx) => queueDigest(tx, due.userId))) ? 'mailed' : 'skipped';
  } catch (thrown) {
    log().error({ ...due, err: thrown }, 'The weekly mail about links could not be queued.');
    await db()
      .update(linkDigests)
      .set({ dueAt: secondsFromNow(retrySeconds) })
      .where(eq(linkDigests.userId, due.userId));
    return 'failed';
  }
}

const isWatchedOf = (userId: string, verdict: LinkVerdict) =>
  and(eq(linkWatches.buyerId, userId), eq(linkWatches.verdict, verdict), isNull(linkWatches.endedAt));

/** Queues the weekly mail of a buyer. @returns whether a mail was queued */
async function queueDigest(tx: Executor, userId: string): Promise<boolean> {
  const counts: [LinkVerdict, CappedCount][] = [];
  for (const verdict of linkVerdicts)
    counts.push([verdict, await countRows(linkWatches, isWatchedOf(userId, verdict), tx)]);
  const found = counts.filter(([, { total }]) => total > 0);
  if (found.length === 0) {
    // The next delivery starts the weeks again.
    await tx.delete(linkDigests).where(eq(linkDigests.userId, userId));
    return false;
  }
  const recipient = await findMailRecipient(tx, userId);
  if (!recipient || recipient.off.has('link-digest')) return false;
  const links = await tx
    .select({ orderId: linkWatches.orderId, verdict: linkWatches.verdict, pageUrl: linkWatches.pageUrl })
    .from(linkWatches)
    .where(
      and(
        eq(linkWatches.buyerId, userId),
        inArray(linkWatches.verdict, ['broken', 'changed']),
        isNull(linkWatches.endedAt),
      ),
    )
    .orderBy(desc(linkWatches.orderId))
    .limit(maxNamed);
  const heading = 'Your links this week';
  await queueMail(tx, {
    kind: 'link-digest',
    to: recipient.email,
    subject: heading,
    body: (context) =>
      createElement(LinkDigestMail, {
        ...context,
        heading,
        lines: found.map(
          ([verdict, { total, isCapped }]) =>
            `${verdictNames[verdict]}: ${total.toLocaleString('en-US')}${isCapped ? '+' : ''}.`,
        ),
        links: links.map(({ verdict, ...link }) => ({ ...link, text: verdict ? verdictNames[verdict] : '' })),
        url: `${context.appUrl}/user/projects`,
      }),
  });
  return true;
}
