import { eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Executor } from '../../db/client';
import { users } from '../../db/schema/users';
import { AppError } from '../errors';
import { type SettingRows, settingOf } from '../settings/read-settings';
import type { Actor } from './actor';
import { hasSecondFactor } from './two-step';

/** The row of `settings` that holds the rule. */
export const twoStepKey = 'two-step';

export const maxGraceDays = 90;
const defaultGraceDays = 7;

const storedTwoStepRule = z.object({
  /** Roles that require a second factor, each with the time since which it does, in seconds since the epoch. */
  roles: z.record(z.string(), z.int().nonnegative()),
  /** Days that a person has to set up a second factor. */
  graceDays: z.int().min(0).max(maxGraceDays),
});
export type TwoStepRule = z.output<typeof storedTwoStepRule>;

/** The rule in force, and the version that an edit of it names. */
export function twoStepRuleIn(rows: SettingRows): { value: TwoStepRule; version: number } {
  return settingOf(rows, twoStepKey, storedTwoStepRule, { roles: {}, graceDays: defaultGraceDays });
}

/**
 * By when a person without a second factor must set one up, in milliseconds since the epoch; null where the role does
 * not require one, or the person has one. For a query that reads from `users`. The grace period starts when the role
 * began to require it, the account was created or the person received the role, whichever is latest. A value beyond the
 * bounds, altered in the database, counts as the nearest bound.
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

/** Whether the person must set up a second factor before anything else. */
export function isTwoStepOverdue({ twoStepDueAt: dueAt }: Pick<Actor, 'twoStepDueAt'>): boolean {
  return dueAt !== null && dueAt.getTime() <= Date.now();
}

/**
 * Called by `route()` and `action()`, except where `beforeTwoStep` is declared.
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
 * Refuses to leave a person without the second factor that the role requires, also within the grace period. Called in
 * the transaction that has removed one.
 * @throws AppError conflict
 */
export async function requireFactorLeft(tx: Executor, userId: string): Promise<void> {
  const [person] = await tx.select({ dueAt: twoStepDueAt }).from(users).where(eq(users.id, userId));
  if (person?.dueAt === null) return;
  throw new AppError(
    'conflict',
    'Your role requires two-step sign-in, and this is your last second factor. Add a passkey or an authenticator app first.',
  );
}
