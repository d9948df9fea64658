import { and, eq, isNull, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { sessions, users } from '@/db/schema/users';
import { personalAccount } from '@/lib/access/account-roles';
import type { Actor } from '@/lib/access/actor';
import { grantedPermissions, hasPermission, lockRights } from '@/lib/access/authorize';
import { hasRightsOfStaff, isPermission, isSellerRole, type Rights } from '@/lib/access/permissions';
import { AppError } from '@/lib/errors';
import { recordUserAudit } from '@/lib/platform/audit/record';
import { lineField } from '@/lib/platform/http/fields';
import { getOwnPortal } from './portal-home';
import { portals } from './portals';
import { isTwoStepOverdue } from './two-step';

/** After this time a view ends by itself. */
export const viewMinutes = 20;

export const startViewInput = z.object({
  userId: z.string().min(1).max(64),
  reason: lineField(200).refine((text) => text !== '', 'Enter the reason, for example the number of the ticket.'),
});

/**
 * The pages that a view shows, without the wallet, new orders, invoices, earnings, payouts, webhooks and security: neither balances
 * nor secrets. A page that is not listed stays closed.
 */
const viewedPages =
  /^\/(?:user(?:\/dashboard|\/marketplace|\/cart|\/projects(?:\/[\w-]+)?|\/orders(?:\/\d+)?)?|seller(?:\/my-sites|\/orders(?:\/\d+)?)?)$/;

/** The dialogs of new orders, which show the wallet's balance, and of invoices. */
const moneyDialogs = /[?&](?:new|again|invoice)=/;

/** Checks whether a view shows the page of a path with its query. */
export const isViewedPage = (path: string): boolean =>
  viewedPages.test(path.split('?')[0] ?? '') && !moneyDialogs.test(path);

type Viewed = Rights & { userId: string };

/**
 * Checks whether staff may see the portal of a user as that user does. What it shows of orders, messages and sites is
 * what ManageOrders and, for a seller, ManageSites show in the admin area. Users with any right of staff are never shown.
 */
export function mayView(staff: Pick<Actor, 'userId' | 'role' | 'permissions' | 'token'>, viewed: Viewed): boolean {
  const needed = [
    'ManageUsers',
    'ManageOrders',
    ...(isSellerRole(viewed.role) ? ['ManageSites' as const] : []),
  ] as const;
  return (
    staff.token === undefined &&
    staff.userId !== viewed.userId &&
    !hasRightsOfStaff(viewed) &&
    needed.every((permission) => hasPermission(staff, permission))
  );
}

/**
 * Starts the view of a user's portal in the session of staff, until `viewMinutes` have passed. All requests of the session
 * then come from the viewed user, read-only.
 * @returns the page to open
 * @throws AppError not_found for a user who is not Active, forbidden for one who must not be viewed
 */
export async function startViewing(
  caller: Actor,
  { userId, reason }: z.output<typeof startViewInput>,
): Promise<{ home: string }> {
  return db().transaction(async (tx) => {
    const actor = await lockRights(tx, caller, 'ManageUsers');
    const viewed = await findViewed(tx, userId);
    if (!viewed) throw new AppError('not_found', 'This user is not active, so there is no portal to view.');
    if (!mayView(actor, viewed)) throw new AppError('forbidden', 'You do not have permission to view this account.');
    await tx
      .update(sessions)
      .set({ viewedUserId: userId, viewEndsAt: sql`now() + make_interval(mins => ${viewMinutes})` })
      .where(and(eq(sessions.id, actor.sessionId), isNull(sessions.endedAt)));
    await recordUserAudit(
      tx,
      actor,
      'view.started',
      `${actor.email} views the account of ${viewed.email}, read-only, for up to ${viewMinutes} minutes. Reason: ${reason}`,
      userId,
    );
    return { home: portals[getOwnPortal(viewed)].home };
  });
}

/** Ends the view of a session. @returns the page of the viewed user, or the dashboard without a view */
export async function stopViewing(actor: Actor | null): Promise<{ home: string }> {
  if (!actor?.viewing) return { home: portals.admin.home };
  const { viewing, ...session } = actor;
  await endView({ ...session, ...viewing.staff }, viewing.userId);
  return { home: viewedUserPage(viewing.userId) };
}

/** The page shown in place of those that a view does not show. */
export const viewingPage = '/viewing';

export const viewedUserPage = (userId: string) => `/dashboard/features/users/${userId}`;

/** @param staff the person who views, with the id of the session */
async function endView(staff: Omit<Actor, 'viewing'>, userId: string): Promise<void> {
  await db().transaction(async (tx) => {
    const [ended] = await tx
      .update(sessions)
      .set({ viewedUserId: null, viewEndsAt: null })
      .where(and(eq(sessions.id, staff.sessionId), eq(sessions.viewedUserId, userId)))
      .returning({ id: sessions.id });
    if (ended) await recordUserAudit(tx, staff, 'view.ended', `${staff.email} stopped viewing the account.`, userId);
  });
}

/**
 * Replaces the actor of a session that shows another user's portal. The view ends here when its time is over, when the
 * person who views has lost a permission, or when the user is no longer active or is staff now. In that request nothing
 * can be changed either, because the page that sent it shows the other account.
 */
export async function toViewedActor(staff: Actor, userId: string, endsAt: Date): Promise<Actor> {
  const viewed = endsAt.getTime() > Date.now() && !isTwoStepOverdue(staff) ? await findViewed(db(), userId) : null;
  const { email, name, role } = staff;
  const viewing = { userId, endsAt, staff: { userId: staff.userId, email, name, role } };
  if (!viewed || !mayView(staff, viewed)) {
    await endView(staff, userId);
    return { ...staff, viewing: { ...viewing, isOver: true } };
  }
  return {
    ...{ ...staff, ...viewed, ...personalAccount(viewed.userId) },
    ...{ memberOf: [viewed.userId], hasRecentAuthentication: false, twoStepDueAt: null },
    viewing: { ...viewing, isOver: false },
  };
}

async function findViewed(tx: Executor, userId: string) {
  const [user] = await tx
    .select({
      userId: users.id,
      email: users.email,
      name: users.name,
      role: users.role,
      status: users.status,
      permissions: grantedPermissions,
    })
    .from(users)
    .where(and(eq(users.id, userId), eq(users.status, 'Active'), isNull(users.deletedAt)));
  return user ? { ...user, permissions: user.permissions.filter(isPermission) } : null;
}
