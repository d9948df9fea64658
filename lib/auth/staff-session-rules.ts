import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { sessions } from '../../db/schema/users';

/** Where the setting stands. */
export const staffSessionKey = 'staff-sessions';

/** How long a session of staff lasts: minutes without a request, and hours in all. */
const staffSessionRules = z.object({
  idleMinutes: z.int().min(5).max(240),
  maxHours: z.int().min(1).max(12),
});
type StaffSessionRules = z.output<typeof staffSessionRules>;

const defaultStaffSession: StaffSessionRules = { idleMinutes: 30, maxHours: 12 };

/** A number of the stored setting, or its default where none is stored. */
const stored = (name: keyof StaffSessionRules): SQL => sql`coalesce((
  select case when jsonb_typeof(value -> ${sql.raw(`'${name}'`)}) = 'number'
    then (value ->> ${sql.raw(`'${name}'`)})::float end
  from settings where key = ${sql.raw(`'${staffSessionKey}'`)}
), ${sql.raw(String(defaultStaffSession[name]))})`;

/** Whether a session has outlived the rules for staff; for a query that reads from `sessions`. */
export const isOverForStaff = sql<boolean>`(
  ${sessions.lastSeenAt} < now() - make_interval(mins => ${stored('idleMinutes')}::int)
  or ${sessions.createdAt} < now() - make_interval(hours => ${stored('maxHours')}::int))`;
