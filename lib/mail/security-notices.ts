import { and, eq, isNull, sql } from 'drizzle-orm';
import { createElement } from 'react';
import type { Executor } from '../../db/client';
import { users } from '../../db/schema/users';
import type { AnyActor } from '../access/actor';
import { queueMail } from './compose';
import { SecurityNotice } from './templates/security';

/** The kind of every mail here, in the outbox. */
const kind = 'security-notice';

type Notice = {
  subject: string;
  /** One sentence: what happened. The audit log's will do. */
  text: string;
};

/**
 * Tells a person that something about their account changed.
 * @param from where the request came from; left out when staff did it
 */
export async function queueAccountNotice(
  tx: Executor,
  to: string,
  { subject, text, from = '' }: Notice & { from?: string },
): Promise<void> {
  await queueMail(tx, {
    kind,
    to,
    subject,
    body: (context) =>
      createElement(SecurityNotice, {
        ...context,
        heading: subject,
        text: from === '' ? text : `${text} The request came from ${from}.`,
        advice: 'If it was not you, set a new password now, and end the sessions you do not know.',
        // The same page for everybody who can sign in.
        url: `${context.appUrl}/user/security`,
        linkLabel: 'Open the security page',
      }),
  });
}

/**
 * Tells every admin of a change that could be turned against the installation. Also the one who made it: their session
 * may be in other hands. What a script or a job does is the operator's own.
 * @param alsoTo addresses of admins that the database no longer has, e.g. after a restore
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
  await queueMail(tx, {
    kind,
    to,
    subject,
    body: (context) =>
      createElement(SecurityNotice, {
        ...context,
        heading: subject,
        text,
        advice: `${actor.email} did this${where}. If it should not have happened, end their sessions and look at the audit log.`,
        url: `${context.appUrl}/dashboard/features/audit-logs`,
        linkLabel: 'Open the audit log',
      }),
  });
}

/** The addresses of everybody who is Admin and can sign in. */
export async function listAdminEmails(tx: Executor): Promise<string[]> {
  const rows = await tx
    .select({ email: users.email })
    .from(users)
    .where(and(eq(sql`lower(${users.role})`, 'admin'), eq(users.status, 'Active'), isNull(users.deletedAt)));
  return rows.map(({ email }) => email);
}
