import { and, eq, isNotNull, isNull, lte, sql } from 'drizzle-orm';
import { createElement } from 'react';
import type { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { accounts } from '@/db/schema/accounts';
import { clientReportMails } from '@/db/schema/client-reports';
import { projects } from '@/db/schema/projects';
import { isInScope } from '@/lib/access/account-roles';
import { isUsableAccount, lockAccount } from '@/lib/access/accounts';
import { type AccountScope, type Actor, systemActor } from '@/lib/access/actor';
import { systemActors } from '@/lib/access/system-actors';
import { hashPassword } from '@/lib/auth/password';
import { env } from '@/lib/env';
import { AppError } from '@/lib/errors';
import { queueMail } from '@/lib/mail/compose';
import { ClientReportMail } from '@/lib/mail/templates/client-report';
import { recordAudit } from '@/lib/platform/audit/record';
import { isDue, secondsFromNow } from '@/lib/platform/leases';
import { log } from '@/lib/platform/log/log';
import { getProject } from '@/lib/projects/projects';
import type { SaveReportMailInput, stopReportMailInput } from './contract';
import { findLastLogoId, insertReport, storeBrand } from './reports';
import { isSigned, signText } from './token';

const maxPerRun = 200;
const retrySeconds = 60 * 60;
/** The recipients of a buyer over all projects: the mails reach people who did not ask this installation for them. */
const maxRecipientsOfBuyer = 100;

/** The first of next month at 06:00 UTC. */
const nextMonth = sql`(date_trunc('month', now() at time zone 'utc') + interval '1 month 6 hours') at time zone 'utc'`;

/** Finds the monthly mail of a project of the actor; null without one. */
export async function findReportMail(actor: AccountScope, projectId: string) {
  const [row] = await db()
    .select()
    .from(clientReportMails)
    .where(and(eq(clientReportMails.projectId, projectId), isInScope(actor, clientReportMails)));
  if (!row) return null;
  const { passwordHash, ...mail } = row;
  return { ...mail, hasPassword: passwordHash !== null };
}

/**
 * Turns on or changes the monthly mail of a project of the actor.
 * @throws AppError not_found; invalid_input for too many recipients, or for one who turned the mail off
 */
export async function saveReportMail(actor: Actor, input: SaveReportMailInput): Promise<void> {
  const { projectId, recipients, prices, markupPercent = null, fixedCents = null, password } = input;
  const passwordHash = typeof password === 'string' ? await hashPassword(password) : password;
  await db().transaction(async (tx) => {
    // One change of a buyer's mails at a time, so that the sum of the recipients holds.
    await lockAccount(tx, actor.accountId);
    const project = await getProject(actor, projectId, tx);
    const mails = await tx.select().from(clientReportMails).where(eq(clientReportMails.accountId, actor.accountId));
    const before = mails.find((mail) => mail.projectId === projectId);
    requireRecipients(recipients, mails, projectId);
    const keptLogoId = before ? before.brandLogoId : await findLastLogoId(tx, actor.accountId);
    const values = {
      ...{ accountId: actor.accountId, recipients, prices, markupPercent, fixedCents },
      ...(passwordHash !== undefined && { passwordHash }),
      ...(await storeBrand(tx, input.brand, keptLogoId)),
    };
    const dueAt = sql`coalesce(${clientReportMails.dueAt}, ${nextMonth})`;
    await tx
      .insert(clientReportMails)
      .values({ projectId, ...values, dueAt: nextMonth })
      .onConflictDoUpdate({ target: clientReportMails.projectId, set: { ...values, dueAt } });
    await recordAudit(tx, actor, {
      action: 'client_report_mail.saved',
      details: `The monthly client report of ${project.domain} is mailed to ${recipients.join(', ')}.`,
      entityType: 'project',
      entityId: projectId,
      after: { recipients, prices },
    });
  });
}

const refused = (message: string) => new AppError('invalid_input', message, { fields: { recipients: message } });

/**
 * @param mails all of the buyer
 * @throws AppError invalid_input for too many recipients, or for one who turned a mail of the buyer off
 */
function requireRecipients(
  recipients: readonly string[],
  mails: readonly (typeof clientReportMails.$inferSelect)[],
  projectId: string,
): void {
  const gone = recipients.filter((address) => mails.some(({ stopped }) => stopped.includes(address)));
  if (gone.length > 0) throw refused(`${gone.join(', ')} turned this mail off. Send the link yourself.`);
  const others = mails.filter((mail) => mail.projectId !== projectId && mail.dueAt !== null);
  const sum = others.reduce((total, mail) => total + mail.recipients.length, recipients.length);
  if (sum > maxRecipientsOfBuyer) {
    throw refused(`Your monthly reports can have ${maxRecipientsOfBuyer} recipients in all.`);
  }
}

/** Turns the monthly mail of a project of the actor off. Idempotent. @throws AppError not_found */
export async function stopReportMail(actor: Actor, { projectId }: z.output<typeof stopReportMailInput>): Promise<void> {
  await db().transaction(async (tx) => {
    const project = await getProject(actor, projectId, tx);
    const stopped = await tx
      .update(clientReportMails)
      .set({ dueAt: null })
      .where(and(eq(clientReportMails.projectId, projectId), isNotNull(clientReportMails.dueAt)))
      .returning({ id: clientReportMails.projectId });
    if (stopped.length === 0) return;
    await recordAudit(tx, actor, {
      action: 'client_report_mail.stopped',
      details: `The monthly client report of ${project.domain} is no longer mailed.`,
      entityType: 'project',
      entityId: projectId,
    });
  });
}

/** Creates the token by which a recipient turns the mail off. */
const createStopToken = (projectId: string, address: string): string =>
  `${projectId}.${signText('stop', `${projectId} ${address}`)}`;

/** Finds the mail and the recipient of a token, also one who turned the mail off; null if there is none. */
export async function findRecipient(token: string, on: Executor = db()) {
  const [, projectId = '', signature = ''] = /^([0-9a-z]{1,64})\.([\w-]{22})$/.exec(token) ?? [];
  const [mail] = await on
    .select({
      accountId: clientReportMails.accountId,
      recipients: clientReportMails.recipients,
      stopped: clientReportMails.stopped,
      brandName: clientReportMails.brandName,
      brandColor: clientReportMails.brandColor,
    })
    .from(clientReportMails)
    .where(eq(clientReportMails.projectId, projectId));
  if (!mail) return null;
  const { recipients, stopped, ...found } = mail;
  const address = [...recipients, ...stopped].find((one) => isSigned('stop', `${projectId} ${one}`, signature));
  return address ? { ...found, projectId, address, isStopped: stopped.includes(address) } : null;
}

/** Turns all monthly mails of a buyer off for the recipient of a token. Idempotent. @returns whether there was one */
export async function stopForRecipient(token: string): Promise<boolean> {
  return db().transaction(async (tx) => {
    const found = await findRecipient(token, tx);
    if (!found) return false;
    const { projectId, accountId, address, isStopped } = found;
    if (isStopped) return true;
    // As a change by the buyer, which would otherwise write the recipients that it read before.
    await lockAccount(tx, accountId);
    const mails = await tx.select().from(clientReportMails).where(eq(clientReportMails.accountId, accountId));
    const received = mails.filter(({ recipients }) => recipients.includes(address));
    if (received.length === 0) return true;
    for (const mail of received) {
      const recipients = mail.recipients.filter((one) => one !== address);
      await tx
        .update(clientReportMails)
        .set({ recipients, stopped: [...mail.stopped, address], ...(recipients.length === 0 && { dueAt: null }) })
        .where(eq(clientReportMails.projectId, mail.projectId));
    }
    await recordAudit(tx, systemActor(systemActors.emailLink, 'web'), {
      action: 'client_report_mail.recipient_stopped',
      details: `${address} turned the monthly client reports of a buyer off.`,
      entityType: 'project',
      entityId: projectId,
    });
    return true;
  });
}

/**
 * Creates the reports of last month and queues their mails. Several instances may run concurrently: each takes other rows.
 * A row is due again next month, in the transaction of its mails; if they cannot be queued, an hour later.
 */
export async function mailClientReports(): Promise<{ mailed: number; skipped: number; failed: number }> {
  const counts = { mailed: 0, skipped: 0, failed: 0 };
  for (let claimed = 0; claimed < maxPerRun; claimed += 1) {
    const result = await mailNext();
    if (result === null) break;
    counts[result] += 1;
  }
  return counts;
}

async function mailNext(): Promise<'mailed' | 'skipped' | 'failed' | null> {
  const { projectId, dueAt } = clientReportMails;
  let claimed = '';
  try {
    return await db().transaction(async (tx) => {
      const [due] = await tx
        .update(clientReportMails)
        .set({ dueAt: nextMonth })
        .where(isDue({ id: projectId, dueAt, where: undefined, limit: 1 }))
        .returning();
      if (!due) return null;
      claimed = due.projectId;
      return (await queueReport(tx, due)) ? 'mailed' : 'skipped';
    });
  } catch (thrown) {
    if (claimed === '') throw thrown;
    log().error({ projectId: claimed, err: thrown }, 'The monthly client report could not be mailed.');
    // Unless another instance mailed it in the meantime.
    await db()
      .update(clientReportMails)
      .set({ dueAt: secondsFromNow(retrySeconds) })
      .where(and(eq(projectId, claimed), lte(dueAt, sql`now()`)));
    return 'failed';
  }
}

const monthName = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const toDayText = (at: Date) => at.toISOString().slice(0, 10);

/** Returns the first and the last day of the month before a time. */
function getMonthBefore(now: Date): { from: Date; to: Date } {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  return { from: new Date(Date.UTC(year, month - 1, 1)), to: new Date(Date.UTC(year, month, 0)) };
}

/** Creates the report of last month and queues its mails. @returns false without a project, buyer or recipient */
async function queueReport(tx: Executor, due: typeof clientReportMails.$inferSelect): Promise<boolean> {
  const { projectId, accountId, recipients, brandName, brandColor } = due;
  const [owner] = await tx
    .select({ domain: projects.domain, email: accounts.email })
    .from(projects)
    .innerJoin(accounts, and(eq(accounts.id, accountId), isUsableAccount))
    .where(and(eq(projects.id, projectId), isNull(projects.deletedAt)));
  if (!owner || recipients.length === 0) {
    await tx.update(clientReportMails).set({ dueAt: null }).where(eq(clientReportMails.projectId, projectId));
    return false;
  }
  const { from, to } = getMonthBefore(new Date());
  const { prices, markupPercent, fixedCents, passwordHash, brandLogoId } = due;
  const { url } = await insertReport(tx, systemActor(systemActors.clientReports, 'job'), owner.domain, {
    ...{ projectId, accountId, prices, markupPercent, fixedCents, passwordHash, brandName, brandColor, brandLogoId },
    ...{ fromDay: toDayText(from), toDay: toDayText(to) },
  });
  const heading = `Link report for ${owner.domain}, ${monthName.format(from)}`;
  for (const to of recipients) {
    const stopUrl = `${env().APP_URL}/reports/mail/${createStopToken(projectId, to)}`;
    const look = { heading, brandName, brandColor, url, stopUrl, hasPassword: passwordHash !== null };
    await queueMail(tx, {
      kind: 'client-report',
      to,
      subject: heading,
      // The agency is the sender that the client knows, and answers reach it.
      sender: { name: brandName, replyTo: owner.email, stopUrl },
      body: () => createElement(ClientReportMail, look),
    });
  }
  return true;
}
