import { and, asc, eq, inArray, isNotNull, lte, max, min, type SQL, sql } from 'drizzle-orm';
import { createElement } from 'react';
import { advisoryLock } from '@/db/advisory-locks';
import { db, type Executor } from '@/db/client';
import { mails } from '@/db/schema/mails';
import { users } from '@/db/schema/users';
import { isSellerRole } from '@/lib/access/permissions';
import { UnreadableSecret } from '@/lib/platform/secrets';
import { getBranding } from '@/lib/settings/branding/get-branding';
import { composeMail, type NewsLine, openBody } from './compose';
import { isMailKind, labelOf, listOptOuts, type MailKind, waitOf, weeklyKinds } from './preferences';
import { NewsMail } from './templates/news';

/** The kind of the mail that a user who chose it gets once a week. */
const weeklyMail = 'weekly-news';
/** Mondays at this hour (UTC). */
const weeklyHour = 7;
/** The mails that one mail replaces, the lines that it shows, and the groups that one run processes. */
const maxTogether = 500;
const maxLines = 50;
const maxGroups = 500;

/**
 * Releases mails that waited to be sent together. The first mail of a kind to a user is released at once, and those
 * that arrive within an hour after it at the end of that hour, as one mail with a line for each. For users who chose
 * one mail a week, kinds that may wait for it are released on Monday. Each step is a transaction that replaces the
 * mails by the one about them, so that none is lost and none is sent twice; one instance at a time takes these steps.
 * @returns the number of groups
 */
export async function gatherMails(): Promise<number> {
  let groups = 0;
  while (groups < maxGroups && (await db().transaction(gatherNext))) groups += 1;
  return groups;
}

type Row = Pick<typeof mails.$inferSelect, 'id' | 'kind' | 'sealedBody'>;

async function gatherNext(tx: Executor): Promise<boolean> {
  const [lock] = await tx.execute(sql`select pg_try_advisory_xact_lock(${advisoryLock('mails')}) as taken`);
  if (lock?.taken !== true) return false;
  const [due] = await tx
    .select({ userId: mails.gathersFor, kind: mails.kind })
    .from(mails)
    .where(and(isNotNull(mails.gathersFor), lte(mails.nextAttemptAt, sql`now()`)))
    .orderBy(asc(mails.nextAttemptAt))
    .limit(1);
  if (!due?.userId) return false;
  const [user] = await tx
    .select({ email: users.email, role: users.role, isWeekly: users.hasWeeklyMail, deletedAt: users.deletedAt })
    .from(users)
    .where(eq(users.id, due.userId));
  const ofUser = eq(mails.gathersFor, due.userId);
  if (!user || user.deletedAt) {
    await tx.delete(mails).where(ofUser);
    return true;
  }
  const isWeekly = user.isWeekly && waitOf(due.kind) === 'week';
  const kinds = isWeekly ? weeklyKinds : [due.kind];
  const ofGroup = and(ofUser, inArray(mails.kind, kinds));
  const turn = { recipient: user.email, kind: isWeekly ? weeklyMail : due.kind, ofGroup };
  const [wait] = await tx
    .select({
      until: isWeekly ? nextMonday(tx, turn) : nextHour(tx, turn),
      isMore: sql<boolean>`coalesce((${lastRelease(tx, turn)}) > now() - interval '2 hours', false)`,
    })
    .from(sql`(values (1)) as once`);
  const held = await tx
    .update(mails)
    .set({ nextAttemptAt: sql`${wait?.until}::timestamptz` })
    .where(and(ofGroup, sql`${wait?.until}::timestamptz > now()`))
    .returning({ id: mails.id });
  if (held.length > 0) return true;
  const rows = await tx
    .select({ id: mails.id, kind: mails.kind, sealedBody: mails.sealedBody })
    .from(mails)
    .where(ofGroup)
    .orderBy(asc(mails.createdAt), asc(mails.id))
    .limit(maxTogether);
  const off = await listOptOuts(due.userId, tx);
  const wanted = rows.filter(({ kind }) => !isMailKind(kind) || !off.has(kind));
  const readable = wanted.flatMap((row) => readLine(row) ?? []);
  const isOne = wanted.length === 1 && !isWeekly;
  // A mail without a line goes out as it is; one that cannot be decrypted is then given up.
  const released = isOne ? wanted : wanted.filter(({ id }) => readable.every((line) => line.id !== id));
  await release(tx, user.email, released);
  if (!isOne)
    await send(
      tx,
      { ...turn, choicesPath: choicesOf(user.role, due.kind), isWeekly, isMore: wait?.isMore === true },
      readable,
    );
  const ids = rows.map(({ id }) => id).filter((id) => released.every((row) => row.id !== id));
  if (ids.length > 0) await tx.delete(mails).where(inArray(mails.id, ids));
  return true;
}

type Turn = { recipient: string; kind: string; ofGroup: SQL | undefined };

const lastRelease = (tx: Executor, { recipient, kind }: Turn) =>
  tx
    .select({ at: max(mails.releasedAt) })
    .from(mails)
    .where(and(eq(mails.recipient, recipient), eq(mails.kind, kind), isNotNull(mails.releasedAt)));

/** Returns the time an hour after the last mail of the kind. */
const nextHour = (tx: Executor, turn: Turn) =>
  sql<string>`coalesce((${lastRelease(tx, turn)}) + interval '1 hour', now())::text`;

/** Returns the Monday after the oldest mail and after the last weekly one, so that there is one a week. */
function nextMonday(tx: Executor, turn: Turn) {
  const monday = (at: SQL) => sql`date_trunc('week', ${at} - ${hours}, 'UTC') + interval '7 days' + ${hours}`;
  const hours = sql.raw(`interval '${weeklyHour} hours'`);
  const oldest = tx
    .select({ at: min(mails.createdAt) })
    .from(mails)
    .where(turn.ofGroup);
  return sql<string>`greatest(${monday(sql`(${oldest})`)}, ${monday(sql`(${lastRelease(tx, turn)})`)})::text`;
}

type Line = NewsLine & { id: string; kind: string };

/** Reads the line of a mail; null for one that has none or cannot be decrypted, which must not stop the others. */
function readLine({ id, kind, sealedBody }: Row): Line | null {
  try {
    const { news } = openBody(id, sealedBody ?? '');
    return news ? { ...news, id, kind } : null;
  } catch (thrown) {
    if (thrown instanceof UnreadableSecret) return null;
    throw thrown;
  }
}

/** Releases mails as they are, to the current address. */
async function release(tx: Executor, recipient: string, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return;
  await tx
    .update(mails)
    .set({ gathersFor: null, recipient, releasedAt: sql`now()`, nextAttemptAt: sql`now()` })
    .where(
      inArray(
        mails.id,
        rows.map(({ id }) => id),
      ),
    );
}

type Sent = Turn & { choicesPath: string; isWeekly: boolean; isMore: boolean };

/** Adds the mail about several to the outbox. */
async function send(tx: Executor, { recipient, kind, choicesPath, isWeekly, isMore }: Sent, lines: readonly Line[]) {
  if (lines.length === 0) return;
  const count = lines.length.toLocaleString('en-US');
  const updates = `${count} ${lines.length === 1 ? 'update' : 'updates'}`;
  const title = isMailKind(kind) ? labelOf(kind) : kind;
  const heading = isWeekly
    ? `Your week: ${updates}`
    : `${isMore ? `${count} more ${updates.split(' ')[1]}` : updates}: ${title}`;
  const shown = lines.slice(0, maxLines);
  const shownKinds = [...new Set(shown.map((line) => line.kind))].filter(isMailKind);
  const groups = shownKinds.map((one: MailKind) => ({
    title: isWeekly ? labelOf(one) : null,
    lines: shown.filter((line) => line.kind === one),
  }));
  const composed = await composeMail(await getBranding(tx), {
    kind,
    to: recipient,
    subject: heading,
    body: (context) =>
      createElement(NewsMail, { ...context, heading, groups, more: lines.length - shown.length, choicesPath }),
  });
  await tx.insert(mails).values(composed.map((mail) => ({ ...mail, releasedAt: sql`now()` })));
}

/** Returns the page where the recipient chooses emails: sellers get mails of both sides. */
const choicesOf = (role: string, kind: string): string =>
  `/${isSellerRole(role) || kind.startsWith('seller-') ? 'seller' : 'user'}/security#mails`;
