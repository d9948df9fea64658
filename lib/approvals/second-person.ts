import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import type { approvals } from '@/db/schema/approvals';
import { gainsBy, holds, isSamePerson } from '@/lib/access/account-controllers';
import type { Actor } from '@/lib/access/actor';
import type { Rights } from '@/lib/access/permissions';
import { getSettledRights, settlingHours } from '@/lib/access/settled-rights';
import { AppError } from '@/lib/errors';
import { describeAuthority, mayDecide } from './schemas';

/** Explains which accounts cannot approve each other's changes. */
export const independenceRule =
  'Two accounts are not independent if one of them created the other, or set its role, email or password, or if a third person who is no admin did so for both. An admin that the operator creates with “npm run admin:create” is independent of all others.';

/** Builds the condition that a user is a second person: independent of the requester, and without a gain by the change. */
export const isSecondPerson = (
  userId: string | SQLWrapper,
  {
    requestedBy,
    beneficiaryId = null,
  }: {
    requestedBy: string | SQLWrapper;
    beneficiaryId?: string | SQLWrapper | null | undefined;
  },
): SQL<boolean> => sql<boolean>`(not ${isSamePerson(userId, requestedBy)} and not ${gainsBy(beneficiaryId, userId)})`;

/**
 * Requires that the actor may approve a request: as a second person, with rights that have settled.
 * @throws AppError forbidden with the reason
 */
export async function requireSecondPerson(
  tx: Executor,
  actor: Actor,
  { kind, requestedBy, beneficiaryId }: typeof approvals.$inferSelect,
): Promise<void> {
  if (requestedBy === actor.userId) {
    throw new AppError('forbidden', 'You requested this change. A second person must approve it.');
  }
  if (await holds(tx, gainsBy(beneficiaryId, actor.userId))) {
    throw new AppError(
      'forbidden',
      'This change affects your own wallet or account, or one whose password or role you set. Another person must approve it.',
    );
  }
  await requireIndependent(tx, actor, requestedBy, 'You are not independent of the person who requested this change.');
  if (!mayDecide(actor, kind)) {
    throw new AppError('forbidden', `Only a person with ${describeAuthority(kind)} can approve this change.`);
  }
  await requireSettled(tx, actor, (rights) => mayDecide(rights, kind));
}

/** Requires that another account is not the actor's as well. @throws AppError forbidden with the message and the rule */
export async function requireIndependent(tx: Executor, actor: Actor, userId: string, message: string): Promise<void> {
  if (!(await holds(tx, isSamePerson(actor.userId, userId)))) return;
  throw new AppError('forbidden', `${message} ${independenceRule}`);
}

/**
 * Requires that the rights with which the actor decides or pays have settled.
 * @throws AppError forbidden
 */
export async function requireSettled(
  tx: Executor,
  { userId }: Actor,
  suffices: (rights: Rights) => boolean,
): Promise<void> {
  if (suffices(await getSettledRights(userId, tx))) return;
  throw new AppError(
    'forbidden',
    `Rights that another person gave you count for approvals and payments after ${settlingHours} hours. Ask another person, or wait.`,
  );
}
