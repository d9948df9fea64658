import { and, eq, sql } from 'drizzle-orm';
import { createElement } from 'react';
import type { Executor } from '@/db/client';
import { type OwnershipMethod, type OwnershipProblem, ownershipProofs } from '@/db/schema/ownership-proofs';
import type { Transaction } from '@/db/transaction';
import type { AnyActor } from '@/lib/access/actor';
import { queueMail } from '@/lib/mail/compose';
import { findMailRecipient } from '@/lib/mail/recipients';
import { LostOwnershipMail } from '@/lib/mail/templates/sellers';
import { createNotification } from '@/lib/notifications/notifications';
import { recordAudit } from '@/lib/platform/audit/record';
import { secondsFromNow } from '@/lib/platform/leases';
import { refreshOwnership } from './refresh';
import { graceDays } from './show';

const hour = 60 * 60;
const day = 24 * hour;
const graceSeconds = graceDays * day;
/** The checks of a failing proof, which a success in between restores. */
const failingSeconds = graceSeconds / 2;
const unreachableSeconds = 6 * hour;

type Proof = typeof ownershipProofs.$inferSelect;

/**
 * The result of all methods. `isOurs`: nothing was found, and this installation reaches nothing, which says nothing about
 * the domain.
 */
export type OwnershipFinding = { method: OwnershipMethod | null; problems: OwnershipProblem[]; isOurs: boolean };
type Checked = OwnershipFinding & { sellerId: string; domain: string };

/**
 * Records a check of a domain for a seller. A success proves the domain and keeps the time of the first. A failure takes a
 * proof away if another was at least a week ago without a success since then, and tells the seller. A check while this
 * installation is cut off changes nothing.
 * @returns the proof after the check
 */
export async function recordOwnership(tx: Transaction, actor: AnyActor, checked: Checked): Promise<Proof> {
  const { sellerId, domain, method, problems, isOurs } = checked;
  const isThis = and(eq(ownershipProofs.sellerId, sellerId), eq(ownershipProofs.domain, domain));
  const now = new Date();
  await tx.insert(ownershipProofs).values({ sellerId, domain, checkedAt: now }).onConflictDoNothing();
  const [before] = await tx.select().from(ownershipProofs).where(isThis).for('update');
  if (!before) throw new Error(`The proof of ${domain} was deleted during its check.`);
  const isFailing = method === null && !isOurs && before.verifiedAt !== null;
  const failedAt = before.failedAt ?? now;
  const isLost = isFailing && now.getTime() - failedAt.getTime() >= graceSeconds * 1_000;
  const [after] = await tx
    .update(ownershipProofs)
    .set({
      checkedAt: now,
      problems,
      ...(method !== null && {
        method,
        verifiedAt: before.verifiedAt ?? now,
        failedAt: null,
        // Up to a day earlier, so that the proofs of one day spread.
        nextCheckAt: secondsFromNow(30 * day - Math.floor(Math.random() * day)),
      }),
      ...(isFailing && { failedAt, nextCheckAt: nextFailingCheck(failedAt) }),
      ...(isOurs && before.verifiedAt !== null && { nextCheckAt: secondsFromNow(unreachableSeconds) }),
      ...(isLost && { method: null, verifiedAt: null, failedAt: null, nextCheckAt: null }),
    })
    .where(isThis)
    .returning();
  if (!after) throw new Error(`The proof of ${domain} was deleted during its check.`);
  if (isLost) await tellSeller(tx, actor, after);
  await recordAudit(tx, actor, ...describeCheck(actor, before, after));
  if ((before.verifiedAt === null) !== (after.verifiedAt === null)) await refreshOwnership(tx, [domain]);
  return after;
}

/** Returns the time of the next check of a failing proof: not after the week is over. */
const nextFailingCheck = (failedAt: Date) =>
  sql`least(${secondsFromNow(failingSeconds)}, greatest(now() + interval '1 hour',
    ${failedAt.toISOString()}::timestamptz + make_interval(secs => ${graceSeconds})))`;

/** Describes a check by a person, and each change by the job. */
function describeCheck(actor: AnyActor, before: Proof, after: Proof) {
  const { domain, sellerId, method, problems } = after;
  const entry = (action: string, details: string) => [
    {
      ...{ action, details, entityType: 'domain', entityId: domain },
      before: { sellerId, method: before.method },
      after: { sellerId, method },
    },
  ];
  const reasons = problems.map(({ message }) => message).join(' ');
  if (before.verifiedAt === null && after.verifiedAt !== null)
    return entry('ownership.proved', `A seller proved ${domain} by ${method}.`);
  if (before.verifiedAt !== null && after.verifiedAt === null)
    return entry('ownership.lost', `Two checks a week apart found no proof of ${domain}. ${reasons}`);
  if (before.failedAt === null && after.failedAt !== null)
    return entry('ownership.failing', `A check found no proof of ${domain}. ${reasons}`);
  return actor.userId === null ? [] : entry('ownership.checked', `A seller checked the ownership of ${domain}.`);
}

/** Tells a seller that a proof was lost, also after an own check. */
async function tellSeller(tx: Executor, actor: AnyActor, { sellerId, domain, problems }: Proof): Promise<void> {
  const notice = { userId: sellerId, kind: 'site.ownership_lost', subject: domain } as const;
  await createNotification(tx, actor, notice, { forActor: true });
  const recipient = await findMailRecipient(tx, sellerId);
  if (!recipient || recipient.off.has('seller-ownership')) return;
  const path = `/seller/my-sites?q=${encodeURIComponent(domain)}`;
  const subject = `We no longer find the proof that ${domain} is yours`;
  await queueMail(tx, {
    kind: 'seller-ownership',
    to: recipient.email,
    subject,
    news: { userId: sellerId, text: subject, path },
    body: (context) =>
      createElement(LostOwnershipMail, {
        ...context,
        heading: subject,
        domain,
        problems: problems.map(({ message }) => message),
        url: `${context.appUrl}${path}`,
      }),
  });
}
