import { and, desc, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import { createElement } from 'react';
import { db, type Executor } from '@/db/client';
import { type CappedCount, countRows } from '@/db/count-up-to';
import { type LinkVerdict, linkDigests, linkVerdicts, linkWatches } from '@/db/schema/links';
import { isInProjects } from '@/lib/access/account-roles';
import { verdictNames } from '@/lib/links/describe-reason';
import { type MailAccount, queueMail } from '@/lib/mail/compose';
import { listAccountRecipients } from '@/lib/mail/recipients';
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
    .where(isDue({ id: linkDigests.accountId, dueAt: linkDigests.dueAt, where: undefined, limit: 1 }))
    .returning({ accountId: linkDigests.accountId });
  if (!due) return null;
  try {
    return (await db().transaction((tx) => queueDigest(tx, due.accountId))) ? 'mailed' : 'skipped';
  } catch (thrown) {
    log().error({ ...due, err: thrown }, 'The weekly mail about links could not be queued.');
    await db()
      .update(linkDigests)
      .set({ dueAt: secondsFromNow(retrySeconds) })
      .where(eq(linkDigests.accountId, due.accountId));
    return 'failed';
  }
}

/** Queues the weekly mails of an account, to each member about their projects. @returns whether a mail was queued */
async function queueDigest(tx: Executor, accountId: string): Promise<boolean> {
  const watched = and(eq(linkWatches.buyerId, accountId), isNull(linkWatches.endedAt));
  if ((await countRows(linkWatches, watched, tx)).total === 0) {
    // The next delivery starts the weeks again.
    await tx.delete(linkDigests).where(eq(linkDigests.accountId, accountId));
    return false;
  }
  let isQueued = false;
  for (const recipient of await listAccountRecipients(tx, { accountId, right: 'account:orders' })) {
    const seen = and(watched, isInProjects(recipient, linkWatches.projectId));
    if (!recipient.off.has('link-digest')) isQueued = (await mailDigest(tx, recipient, seen)) || isQueued;
  }
  return isQueued;
}

async function mailDigest(
  tx: Executor,
  { email, account }: { email: string; account: MailAccount | undefined },
  watched: SQL | undefined,
): Promise<boolean> {
  const counts: [LinkVerdict, CappedCount][] = [];
  for (const verdict of linkVerdicts)
    counts.push([verdict, await countRows(linkWatches, and(watched, eq(linkWatches.verdict, verdict)), tx)]);
  const found = counts.filter(([, { total }]) => total > 0);
  if (found.length === 0) return false;
  const links = await tx
    .select({ orderId: linkWatches.orderId, verdict: linkWatches.verdict, pageUrl: linkWatches.pageUrl })
    .from(linkWatches)
    .where(and(watched, inArray(linkWatches.verdict, ['broken', 'changed'])))
    .orderBy(desc(linkWatches.orderId))
    .limit(maxNamed);
  const heading = 'Your links this week';
  await queueMail(tx, {
    kind: 'link-digest',
    to: email,
    account,
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
