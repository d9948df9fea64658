import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { type CappedCount, countCap } from '@/db/count-up-to';
import { passkeys } from '@/db/schema/passkeys';
import { recoveryCodes, roles, users } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { hasAllPermissions } from '@/lib/access/permissions';
import { AppError } from '@/lib/errors';
import { queueAdminNotice } from '@/lib/mail/security-notices';
import { recordAudit } from '@/lib/platform/audit/record';
import { versionField, wholeNumberField } from '@/lib/platform/http/fields';
import { parseSetting, type SettingRows, saveSetting, selectSettings } from '@/lib/settings/settings';

export type TwoStepState = { enabledAt: Date | null; recoveryCodesLeft: number };

/**
 * Whether sign-in with the password needs a second factor; for a query that selects from `users`. The columns are
 * qualified by hand because Drizzle omits the table's name in a query of one table, and they would refer to `passkeys`.
 */
export const hasSecondFactor = sql<boolean>`(users.totp_enabled_at is not null
  or exists (select from passkeys where passkeys.user_id = users.id))`;

/** Reads whether a user has an authenticator app, and the number of unused recovery codes. */
export async function getTwoStep(userId: string): Promise<TwoStepState> {
  const left = db()
    .select({ count: sql`count(*)` })
    .from(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, users.id), isNull(recoveryCodes.usedAt)));
  const [row] = await db()
    .select({ enabledAt: users.totpEnabledAt, recoveryCodesLeft: sql<number>`(${left})::int` })
    .from(users)
    .where(eq(users.id, userId));
  return row ?? { enabledAt: null, recoveryCodesLeft: 0 };
}

export type PasskeyItem = Pick<typeof passkeys.$inferSelect, 'id' | 'name' | 'createdAt' | 'lastUsedAt'>;

/** Lists a user's passkeys, the oldest first. */
export function listPasskeys(userId: string): Promise<PasskeyItem[]> {
  const { id, name, createdAt, lastUsedAt } = passkeys;
  return db()
    .select({ id, name, createdAt, lastUsedAt })
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
    .orderBy(passkeys.id);
}

/** The key of the rule in `settings`. */
export const twoStepKey = 'two-step';

const maxGraceDays = 90;
const defaultGraceDays = 7;

const storedTwoStepRule = z.object({
  /** The roles that require a second factor, with the start of the requirement in seconds since the epoch. */
  roles: z.record(z.string(), z.int().nonnegative()),
  /** The number of days to set up a second factor. */
  graceDays: z.int().min(0).max(maxGraceDays),
});
type TwoStepRule = z.output<typeof storedTwoStepRule>;

/** Reads the current rule and the version for an edit. */
export function getTwoStepRule(rows: SettingRows): { value: TwoStepRule; version: number } {
  return parseSetting(rows, twoStepKey, storedTwoStepRule, { roles: {}, graceDays: defaultGraceDays });
}

/**
 * The deadline for a user without a second factor, in milliseconds since the epoch; null when the role does not require
 * one, or the user has one. For a query that selects from `users`. The grace period starts when the role began to
 * require it, the account was created or the user received the role, whichever is latest. A value beyond the bounds,
 * which only a direct change in the database can cause, is clamped.
 */
export const twoStepDueAt = sql<number | null>`(
  select extract(epoch from greatest(
      to_timestamp(least(rule.since, 4102444800)::float8), users.created_at, users.role_since
    ))::float8 * 1000 + rule.grace_days::float8 * 86400000
  from (
    select
      case jsonb_typeof(value -> 'roles' -> users.role)
        when 'number' then (value -> 'roles' ->> users.role)::numeric end as since,
      case jsonb_typeof(value -> 'graceDays')
        when 'number' then greatest(least((value ->> 'graceDays')::numeric, ${sql.raw(String(maxGraceDays))}), 0)
        else ${sql.raw(String(defaultGraceDays))} end as grace_days
    from settings where key = ${sql.raw(`'${twoStepKey}'`)}
  ) rule
  where rule.since is not null and not ${hasSecondFactor})`;

/** Checks whether the user must set up a second factor before any other action. */
export function isTwoStepOverdue({ twoStepDueAt: dueAt }: Pick<Actor, 'twoStepDueAt'>): boolean {
  return dueAt !== null && dueAt.getTime() <= Date.now();
}

/**
 * Requires two-step sign-in of users who must have it. Called by `route()` and `action()`, unless `beforeTwoStep` is
 * declared.
 * @throws AppError two_step_required
 */
export function requireTwoStep(actor: Actor): void {
  if (!isTwoStepOverdue(actor)) return;
  throw new AppError(
    'two_step_required',
    'Your role requires two-step sign-in. Set up an authenticator app or a passkey on the Security page to continue.',
    { url: '/user/security' },
  );
}

/**
 * Requires that the user still has a second factor when the role requires one, also within the grace period. Called in
 * the transaction that has removed one.
 * @throws AppError conflict
 */
export async function requireRemainingFactor(tx: Executor, userId: string): Promise<void> {
  const [person] = await tx.select({ dueAt: twoStepDueAt }).from(users).where(eq(users.id, userId));
  if (person?.dueAt === null) return;
  throw new AppError(
    'conflict',
    'Your role requires two-step sign-in, and this is your last second factor. Add a passkey or an authenticator app first.',
  );
}

export const saveTwoStepRuleInput = z.object({
  /** The names of the roles that require a second factor. */
  roles: z.array(z.string().max(200)).max(1000),
  graceDays: wholeNumberField({ min: 0, max: maxGraceDays }, 'days'),
  version: versionField,
});

/**
 * Sets which roles require two-step sign-in, and the grace period. A role that already required it keeps its start.
 * Only an Admin may weaken the rule.
 * @throws AppError invalid_input for an unknown role, forbidden, conflict for a stale `version`
 */
export async function saveTwoStepRule(actor: Actor, input: z.output<typeof saveTwoStepRuleInput>): Promise<void> {
  const { graceDays, version } = input;
  await db().transaction(async (tx) => {
    const names = new Set((await tx.select({ name: roles.name }).from(roles)).map(({ name }) => name));
    const unknown = input.roles.find((name) => !names.has(name));
    if (unknown !== undefined) {
      const message = `The role “${unknown}” no longer exists. Reload the page.`;
      throw new AppError('invalid_input', message, { fields: { roles: message } });
    }
    const before = getTwoStepRule(await selectSettings(tx)).value;
    const inForce = Object.entries(before.roles).filter(([name]) => names.has(name));
    const dropped = inForce.filter(([name]) => !input.roles.includes(name)).map(([name]) => name);
    const isWeaker = dropped.length > 0 || (inForce.length > 0 && graceDays > before.graceDays);
    if (isWeaker && !hasAllPermissions(actor)) {
      throw new AppError('forbidden', 'Only an Admin can remove a role from this list or extend the grace period.');
    }
    const now = Math.floor(Date.now() / 1000);
    const started = new Map(inForce);
    const after: TwoStepRule = {
      roles: Object.fromEntries(input.roles.map((name) => [name, started.get(name) ?? now])),
      graceDays,
    };
    await saveSetting(tx, actor, { key: twoStepKey, value: after, version, name: 'The two-step sign-in rule' });
    const required = Object.keys(after.roles);
    const details =
      required.length === 0
        ? 'No role requires two-step sign-in.'
        : `Two-step sign-in is required for ${required.join(', ')}, with ${graceDays} days to set it up.`;
    await recordAudit(tx, actor, {
      action: 'two_step.rule_set',
      details,
      entityType: 'setting',
      entityId: twoStepKey,
      before,
      after,
    });
    await queueAdminNotice(tx, actor, { subject: 'The two-step sign-in rule changed', text: details });
  });
}

/** A role, the number of active users who have it, and how many of them have a second factor, each up to a cap. */
export type RoleFactorCount = { name: string; userCount: CappedCount; withFactor: CappedCount };

/** Lists the roles with their user counts, built-in roles first. */
export async function countRoleFactors(): Promise<RoleFactorCount[]> {
  const isHolder = sql`users.role = roles.name and users.status = 'Active' and users.deleted_at is null`;
  const most = countCap + 1;
  const rows = await db()
    .select({
      name: roles.name,
      userCount: sql<number>`(select count(*)::int from (select from users where ${isHolder} limit ${most}) as counted)`,
      // Read from the users with a factor, who may be few: a condition with `or` would examine every user of the role.
      withFactor: sql<number>`(select count(*)::int from (
        (select users.id from users where ${isHolder} and users.totp_enabled_at is not null limit ${most})
        union
        (select users.id from users join passkeys on passkeys.user_id = users.id where ${isHolder} limit ${most})
        limit ${most}) as counted)`,
    })
    .from(roles)
    .orderBy(desc(roles.isBuiltIn), roles.name);
  return rows.map(({ name, userCount, withFactor }) => ({
    name,
    userCount: toCappedCount(userCount),
    withFactor: toCappedCount(withFactor),
  }));
}

const toCappedCount = (total: number): CappedCount => ({
  total: Math.min(total, countCap),
  isCapped: total > countCap,
});
