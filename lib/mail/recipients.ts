import { and, eq, inArray, isNull, ne, notExists, or, type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import type { AccountRole } from '@/db/enums';
import { prepared } from '@/db/prepared';
import { mailOptOuts } from '@/db/schema/mail-opt-outs';
import { rolePermissions, roles, users } from '@/db/schema/users';
import { type Concerned, listConcerned } from '@/lib/access/accounts';
import type { Permission } from '@/lib/access/permissions';
import type { MailAccount } from './compose';
import { isMailKind, listOptOuts, type MailKind } from './preferences';

/** A recipient: the address, and the kinds of mail that are turned off. */
export type MailRecipient = { email: string; off: ReadonlySet<MailKind> };

/** Finds a recipient; null for a deleted user. Suspended users still receive mails about their money. */
export const findMailRecipient = async (tx: Executor, userId: string): Promise<MailRecipient | null> =>
  (await listMailRecipients(tx, [userId])).get(userId) ?? null;

/** Lists recipients by user, in one statement; without deleted users. */
export async function listMailRecipients(
  tx: Executor,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, MailRecipient>> {
  if (userIds.length === 0) return new Map();
  const rows = await recipients(tx).execute({ userIds: JSON.stringify(userIds) });
  return new Map(rows.map(({ userId, email, off }) => [userId, { email, off: new Set(off.filter(isMailKind)) }]));
}

const recipients = prepared((on) =>
  on
    .select({
      userId: users.id,
      email: users.email,
      // Written out, because Drizzle omits the table's name in a query of one table.
      off: sql<string[]>`array(select o.kind from ${mailOptOuts} o where o.user_id = users.id)`,
    })
    .from(users)
    .where(
      and(
        sql`${users.id} in (select jsonb_array_elements_text(${sql.placeholder('userIds')}::text::jsonb))`,
        isNull(users.deletedAt),
      ),
    )
    .prepare('mail_recipients'),
);

/**
 * @property projectIds the projects that the member sees; null for all
 * @property account the account, as mails to the member name it; without a name for the member's own personal account, and
 * undefined if that is the only one
 */
type AccountRecipient = MailRecipient & {
  userId: string;
  role: AccountRole;
  projectIds: string[] | null;
  account: MailAccount | undefined;
};

/**
 * Lists who is mailed about an account: whom the news concern. Of an order it is the member who ordered, or the owners if
 * that one is concerned no more.
 */
export async function listAccountRecipients(
  tx: Executor,
  { orderedBy, ...concerned }: Concerned & { orderedBy?: string },
): Promise<AccountRecipient[]> {
  const members = await listConcerned(tx, concerned);
  const buyer = members.find(({ userId }) => userId === orderedBy);
  const chosen = buyer ? [buyer] : orderedBy === undefined ? members : members.filter(({ role }) => role === 'owner');
  return Promise.all(
    chosen.map(async ({ userId, email, role, projectIds, accountName, hasOthers }) => ({
      ...{ userId, email, role, projectIds, off: await listOptOuts(userId, tx) },
      account:
        userId !== concerned.accountId
          ? { id: concerned.accountId, name: accountName }
          : hasOthers
            ? { id: userId, name: '' }
            : undefined,
    })),
  );
}

/**
 * Mails and notices for staff do not reach everyone who registers, also if User or Seller have permissions. A literal,
 * so that the planner uses the partial index of the other users instead of reading all of them.
 */
const isNotCustomer = sql`${users.role} not in ('User', 'Seller')`;

/** Builds a condition on `users`: active staff with a permission, i.e. admins and roles with it and AdminDashboard. */
export function isStaffWith(executor: Executor, permission: Permission): SQL | undefined {
  const granted = executor
    .select({ name: rolePermissions.roleName })
    .from(rolePermissions)
    .where(inArray(rolePermissions.permission, ['AdminDashboard', permission]))
    .groupBy(rolePermissions.roleName)
    .having(sql`count(*) = 2`);
  const staff = executor
    .select({ name: roles.name })
    .from(roles)
    .where(or(eq(sql`lower(${roles.name})`, 'admin'), inArray(roles.name, granted)));
  return and(isNotCustomer, inArray(users.role, staff), eq(users.status, 'Active'), isNull(users.deletedAt));
}

/**
 * Selects the addresses of the staff with a permission who have not turned off this kind of mail.
 * @param exceptId the user who caused the mail, or an empty string
 */
export function selectStaffRecipients(
  executor: Executor,
  permission: Permission,
  kind: MailKind,
  exceptId: string | Placeholder,
) {
  const turnedOff = executor
    .select({ one: sql`1` })
    .from(mailOptOuts)
    .where(and(eq(mailOptOuts.userId, users.id), eq(mailOptOuts.kind, kind)));
  return executor
    .select({ email: users.email })
    .from(users)
    .where(and(isStaffWith(executor, permission), ne(users.id, exceptId), notExists(turnedOff)));
}
