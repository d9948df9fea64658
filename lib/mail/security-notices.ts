import { and, asc, eq, isNull, ne, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { createElement } from 'react';
import type { Executor } from '@/db/client';
import { accountMembers, accounts } from '@/db/schema/accounts';
import { users } from '@/db/schema/users';
import { shownName } from '@/lib/access/accounts';
import type { AnyActor } from '@/lib/access/actor';
import { queueMail } from './compose';
import { SecurityNotice } from './templates/security';

/** The kind of these mails in the outbox. */
const kind = 'security-notice';

type Notice = {
  subject: string;
  /** A sentence that describes the event, e.g. that of the audit log. */
  text: string;
};

/**
 * Mails a user about a change of their account.
 * @param from the address of the request; omitted when staff made the change
 * @param review what to check besides, in sentences
 */
export async function queueAccountNotice(
  tx: Executor,
  to: string,
  { subject, text, from = '', review = '' }: Notice & { from?: string; review?: string },
): Promise<void> {
  await queueNotice(tx, to, {
    subject,
    review,
    text: from === '' ? text : `${text} The request came from ${from}.`,
    advice: 'If this wasn’t you, set a new password now, and end any sessions you don’t recognize.',
    // All users can open this page.
    path: '/user/security',
    linkLabel: 'Open the Security page',
  });
}

/**
 * Mails a user whose account was recovered. It names the other members of the accounts that the user owns: they keep their
 * access, and who held the account before may have invited them.
 */
export async function queueRecoveryNotice(
  tx: Executor,
  { userId, email }: { userId: string; email: string },
  notice: Notice & { from?: string },
): Promise<void> {
  const members = await listOwnedMembers(tx, userId);
  const named = members
    .slice(0, maxNamed)
    .map(({ email: address, role, accountId, account }) =>
      accountId === userId ? `${address} (${role})` : `${address} (${role} of “${account}”)`,
    );
  if (members.length > maxNamed) named.push(`${members.length - maxNamed} more`);
  const review =
    members.length === 0
      ? ''
      : `These people keep access to accounts that you own: ${named.join(', ')}. Open People in each account, and remove who should not be there.`;
  await queueAccountNotice(tx, email, { ...notice, review });
}

/** The members that a mail names. */
const maxNamed = 100;

/** Lists the other members of the accounts of which a user is an owner. */
function listOwnedMembers(tx: Executor, userId: string) {
  const own = alias(accountMembers, 'own');
  return tx
    .select({ email: users.email, role: accountMembers.role, accountId: accounts.id, account: shownName })
    .from(own)
    .innerJoin(accounts, and(eq(accounts.id, own.accountId), isNull(accounts.deletedAt)))
    .innerJoin(accountMembers, eq(accountMembers.accountId, accounts.id))
    .innerJoin(users, and(eq(users.id, accountMembers.userId), isNull(users.deletedAt)))
    .where(and(eq(own.userId, userId), eq(own.role, 'owner'), ne(users.id, userId)))
    .orderBy(asc(accounts.id), asc(users.email));
}

/**
 * Mails all admins about a security-relevant change, including the admin who made it, whose session may be stolen.
 * Changes by scripts and jobs are not mailed.
 * @param alsoTo addresses of admins who are no longer in the database, e.g. after a restore
 */
export async function queueAdminNotice(
  tx: Executor,
  actor: AnyActor,
  { subject, text }: Notice,
  alsoTo: readonly string[] = [],
): Promise<void> {
  if (actor.userId === null || actor.source === 'script') return;
  const to = [...new Set([...(await listAdminEmails(tx)), ...alsoTo])];
  const where = actor.ip === '' ? '' : ` from ${actor.ip}`;
  await queueNotice(tx, to, {
    subject,
    text,
    advice: `${actor.email} did this${where}. If it should not have happened, end their sessions and review the audit log.`,
    path: '/dashboard/features/audit-logs',
    linkLabel: 'Open the audit log',
  });
}

/** Mails all admins about work of the installation that failed. */
export async function queueAdminAlert(tx: Executor, alert: Notice & Advice): Promise<void> {
  await queueNotice(tx, await listAdminEmails(tx), alert);
}

/** Mails persons about a change of the members of an account. */
export const queueMemberNotice = (
  tx: Executor,
  to: string | string[],
  { advice, ...notice }: Notice & Pick<Advice, 'advice'>,
) => queueNotice(tx, to, { ...notice, advice, path: '/user', linkLabel: 'Open your accounts' });

type Advice = { advice: string; path: string; linkLabel: string };

const queueNotice = (
  tx: Executor,
  to: string | string[],
  { subject, path, ...notice }: Notice & Advice & { review?: string },
) =>
  queueMail(tx, {
    kind,
    to,
    subject,
    body: (context) =>
      createElement(SecurityNotice, { ...context, ...notice, heading: subject, url: `${context.appUrl}${path}` }),
  });

/** Lists the addresses of all active admins. */
export async function listAdminEmails(tx: Executor): Promise<string[]> {
  const rows = await tx
    .select({ email: users.email })
    .from(users)
    .where(and(eq(sql`lower(${users.role})`, 'admin'), eq(users.status, 'Active'), isNull(users.deletedAt)));
  return rows.map(({ email }) => email);
}
