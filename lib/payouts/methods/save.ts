import { and, eq, gt, isNull, type SQL, sql } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { payoutMethods } from '@/db/schema/payouts';
import type { Actor } from '@/lib/access/actor';
import { requireUnchanged } from '@/lib/auth/recent-authentication';
import { type OwnProof, requireBothFactors } from '@/lib/auth/second-factor';
import { AppError } from '@/lib/errors';
import { newId } from '@/lib/ids';
import { queueAccountNotice } from '@/lib/mail/security-notices';
import { createNotification } from '@/lib/notifications/notifications';
import { recordAudit } from '@/lib/platform/audit/record';
import { consumeLimit } from '@/lib/platform/rate-limits/consume';
import { sealSecret } from '@/lib/platform/secrets';
import { requireFlag } from '@/lib/settings/feature-flags';
import { lastFourOf, type MethodDetails } from './contract';
import { nameOfMethod, type PayoutMethod, payoutMethodSlot } from './show';

/** How long no money is sent to a new payout method, so that the owner of the account notices a change by others. */
export const restHours = 72;

/** For how long an earlier address of the account is told as well: it may be the one that its owner still reads. */
const formerEmailDays = 30;

/**
 * Sets the payout method of a seller, which replaces the current one. Requested payouts keep their method and cannot be
 * approved anymore.
 * @throws AppError not_configured while payouts are turned off, invalid_input for a wrong password or second factor,
 * rate_limited after too many attempts or changes, unauthenticated when the password was changed or the session ended
 * in the meantime
 */
export async function savePayoutMethod(actor: Actor, details: MethodDetails, proof: OwnProof): Promise<PayoutMethod> {
  await requireFlag('payouts');
  await consumeLimit('payoutMethod', { account: actor.userId, address: actor.ip });
  const passwordHash = await requireBothFactors(actor, proof);
  return db().transaction(async (tx) => {
    // Locks the user's row, so that concurrent changes run one after another.
    await requireUnchanged(tx, actor, passwordHash);
    const before = await replaceCurrent(tx, actor.userId);
    const method = await insertMethod(tx, actor.userId, details);
    const name = nameOfMethod(method);
    await recordAudit(tx, actor, {
      action: 'payout_method.set',
      details: `${actor.email} ${before ? `changed the payout method ${nameOfMethod(before)} → ${name}` : `set the payout method ${name}`}.`,
      entityType: 'payout_method',
      entityId: method.id,
      ...(before && { before: factsOf(before) }),
      after: factsOf(method),
    });
    await notifyOwner(tx, actor, 'payout.method_set', name, {
      subject: before ? 'Your payout method was changed' : 'A payout method was added',
      text: `Your payouts go to this method: ${name}. No payout is sent to it before ${formatTime(method.usableAt)}.`,
    });
    return method;
  });
}

/**
 * Removes the payout method of a seller. Approved payouts are still sent to it. Another method can be set later.
 * @throws AppError not_configured while payouts are turned off, conflict without a payout method, rate_limited after too
 * many changes, unauthenticated when the session ended in the meantime
 */
export async function removePayoutMethod(actor: Actor): Promise<void> {
  await requireFlag('payouts');
  await consumeLimit('payoutMethod', { account: actor.userId, address: actor.ip });
  await db().transaction(async (tx) => {
    await requireUnchanged(tx, actor);
    const before = await replaceCurrent(tx, actor.userId);
    if (!before) throw new AppError('conflict', 'You have no payout method.');
    const name = nameOfMethod(before);
    await recordAudit(tx, actor, {
      action: 'payout_method.removed',
      details: `${actor.email} removed the payout method ${name}.`,
      entityType: 'payout_method',
      entityId: before.id,
      before: factsOf(before),
    });
    await notifyOwner(tx, actor, 'payout.method_removed', name, {
      subject: 'Your payout method was removed',
      text: `This method was removed: ${name}. You can request payouts again after you add another one.`,
    });
  });
}

/** Ends the current method, if there is one. @returns it */
async function replaceCurrent(tx: Executor, sellerId: string): Promise<PayoutMethod | undefined> {
  const [replaced] = await tx
    .update(payoutMethods)
    .set({ replacedAt: sql`now()` })
    .where(and(eq(payoutMethods.sellerId, sellerId), isNull(payoutMethods.replacedAt)))
    .returning();
  return replaced;
}

/** Adds the method of a seller. @param usableAt when payouts to it can be sent; after its rest by default */
export async function insertMethod(
  tx: Executor,
  sellerId: string,
  details: MethodDetails,
  usableAt: SQL | Date = sql`now() + make_interval(hours => ${restHours})`,
): Promise<PayoutMethod> {
  const id = newId();
  const [method] = await tx
    .insert(payoutMethods)
    .values({
      id,
      sellerId,
      kind: details.kind,
      sealedDetails: sealSecret(payoutMethodSlot({ id, sellerId }), JSON.stringify(details)),
      lastFour: lastFourOf(details),
      usableAt,
    })
    .returning();
  if (!method) throw new Error('The payout method was not inserted.');
  return method;
}

/** Notifies the owner by bell, and mails the account's address and those that it had lately: a thief changes it first. */
async function notifyOwner(
  tx: Executor,
  actor: Actor,
  kind: 'payout.method_set' | 'payout.method_removed',
  name: string,
  notice: { subject: string; text: string },
): Promise<void> {
  await createNotification(tx, actor, { userId: actor.userId, kind, subject: name }, { forActor: true });
  const addresses = new Set([actor.email, ...(await listFormerEmails(tx, actor.userId))]);
  for (const to of addresses) await queueAccountNotice(tx, to, { ...notice, from: actor.ip });
}

/** Lists the earlier addresses, which are only in the audit log. */
async function listFormerEmails(tx: Executor, userId: string): Promise<string[]> {
  const email = sql<string>`${auditLogs.before} ->> 'email'`;
  const rows = await tx
    .selectDistinct({ email })
    .from(auditLogs)
    .where(
      and(
        eq(auditLogs.entityType, 'user'),
        eq(auditLogs.entityId, userId),
        gt(auditLogs.timestamp, sql`now() - make_interval(days => ${formerEmailDays})`),
        sql`${email} <> ${auditLogs.after} ->> 'email'`,
      ),
    );
  return rows.map((row) => row.email);
}

/** Returns the facts that logs and mails may contain. */
const factsOf = ({ kind, lastFour, usableAt }: PayoutMethod) => ({
  kind,
  lastFour,
  usableAt: usableAt.toISOString(),
});

const formatTime = (at: Date) => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
