import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { sessions } from '../../db/schema/users';
import { type SettingRows, settingOf } from '../settings/read-settings';

/** The row of `settings` that holds the rules. */
export const staffSessionKey = 'staff-sessions';

/** Minutes without a request, and hours in all. */
export const staffSessionBounds = { idleMinutes: { min: 5, max: 240 }, maxHours: { min: 1, max: 12 } } as const;

const storedStaffSessionRules = z.object({
  idleMinutes: z.int().min(staffSessionBounds.idleMinutes.min).max(staffSessionBounds.idleMinutes.max),
  maxHours: z.int().min(staffSessionBounds.maxHours.min).max(staffSessionBounds.maxHours.max),
});

/** How long a session of staff lasts. */
export type StaffSessionRules = z.output<typeof storedStaffSessionRules>;

const defaultStaffSession: StaffSessionRules = { idleMinutes: 30, maxHours: 12 };

/** The rules in force, and the version that an edit of them names. */
export function staffSessionRulesIn(rows: SettingRows): { value: StaffSessionRules; version: number } {
  return settingOf(rows, staffSessionKey, storedStaffSessionRules, defaultStaffSession);
}

/**
 * A number of the stored setting, or its default where none is stored. A value beyond the bounds, altered in the
 * database, counts as the nearest bound.
 */
const stored = (name: keyof StaffSessionRules): SQL => {
  const { min, max } = staffSessionBounds[name];
  return sql.raw(`coalesce((
    select case when jsonb_typeof(value -> '${name}') = 'number'
      then greatest(least((value ->> '${name}')::numeric, ${max}), ${min}) end
    from settings where key = '${staffSessionKey}'
  ), ${defaultStaffSession[name]})`);
};

/** Whether a session has outlived the rules for staff; for a query that reads from `sessions`. */
export const isOverForStaff = sql<boolean>`(
  ${sessions.lastSeenAt} < now() - make_interval(mins => ${stored('idleMinutes')}::int)
  or ${sessions.createdAt} < now() - make_interval(hours => ${stored('maxHours')}::int))`;
