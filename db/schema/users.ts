import { sql } from 'drizzle-orm';
import { bigint, boolean, index, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { createdAt, idColumn, timestamptz, updatedAt, version } from '@/db/columns';

export const userStatuses = ['Active', 'Pending', 'Suspended', 'Expired'] as const;
export type UserStatus = (typeof userStatuses)[number];

/** Roles by name. Admin, User and Seller are built in and cannot be deleted. */
export const roles = pgTable(
  'roles',
  {
    /** Stored as entered; unique case-insensitively. */
    name: text().primaryKey(),
    isBuiltIn: boolean().notNull().default(false),
    createdAt: createdAt(),
  },
  (table) => [uniqueIndex('roles_name_key').on(sql`lower(${table.name})`)],
);

/** Permissions of roles (lib/access/permissions.ts). The role Admin has all permissions without rows. */
export const rolePermissions = pgTable(
  'role_permissions',
  {
    roleName: text()
      .notNull()
      .references(() => roles.name, { onDelete: 'cascade', onUpdate: 'cascade' }),
    permission: text().notNull(),
    /** When a person granted it, from which its rights settle (lib/access/settled-rights.ts); null if a script did. */
    grantedAt: timestamptz(),
  },
  (table) => [primaryKey({ columns: [table.roleName, table.permission] })],
);

/** The texts of a user that searches cover, as the index `users_search_idx` holds them. */
export const userSearchText = sql`lower(users.name || E'\\n' || users.email || E'\\n' || users.role)`;

/** The name that lists sort by, as the index `users_name_idx` holds it. */
export const userNameOrEmail = sql`lower(coalesce(nullif(users.name, ''), users.email))`;
const present = sql`deleted_at is null`;

export const users = pgTable(
  'users',
  {
    id: idColumn(),
    name: text().notNull().default(''),
    /** Stored as entered; unique case-insensitively. */
    email: text().notNull(),
    /** argon2id in PHC string format. */
    passwordHash: text().notNull(),
    /** Pending until the email address is verified. */
    status: text({ enum: userStatuses }).notNull().default('Pending'),
    role: text()
      .notNull()
      .references(() => roles.name, { onUpdate: 'cascade' }),
    /** When the role was assigned; null if it was assigned at creation. */
    roleSince: timestamptz(),
    /**
     * When a person last created the account, changed its role, set its password or address, or made it Active again:
     * its rights settle from then (lib/access/settled-rights.ts). Null for an account of a script.
     */
    rightsSince: timestamptz(),
    emailVerifiedAt: timestamptz(),
    /** When staff invited the user, who has not set a password since; null for every other account. */
    invitedAt: timestamptz(),
    /** The encrypted TOTP secret; active once `totpEnabledAt` is set. */
    totpSecret: text(),
    /** When the enrolment that `totpEnabledAt` confirms was started. */
    totpBegunAt: timestamptz(),
    totpEnabledAt: timestamptz(),
    /** The last 30-second step that was accepted: a code works once. */
    totpLastStep: bigint({ mode: 'number' }),
    /** Incremented by changes of name, email, status, role and password. */
    version: version(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    /**
     * When the user last signed in or made a request, in any session; updated at most once per minute. Null for a user
     * who has never signed in.
     */
    lastSeenAt: timestamptz(),
    /** Whether news that can wait come in one mail a week (lib/mail/preferences.ts). */
    hasWeeklyMail: boolean().notNull().default(false),
    /** Set when an admin deletes the user; orders and transfers stay. */
    deletedAt: timestamptz(),
  },
  (table) => [
    uniqueIndex('users_email_key').on(sql`lower(${table.email})`),
    // Serves the foreign key and the number of users of each role.
    index('users_role_deleted_idx').on(table.role, table.deletedAt),
    index('users_active_role_idx').on(table.role).where(sql`status = 'Active' and deleted_at is null`),
    index('users_totp_idx').on(table.role).where(sql`totp_enabled_at is not null`),
    // One index for each sort order of the list. The one by role has all users: PostgreSQL ignores the statistics of an
    // expression in a partial index, and without them it misjudges the filter by role.
    index('users_by_role_idx').on(sql`lower(${table.role})`, table.id),
    index('users_name_idx').on(userNameOrEmail, table.id).where(present),
    index('users_by_status_idx').on(table.status, table.id).where(present),
    index('users_joined_idx').on(table.createdAt, table.id).where(present),
    index('users_seen_idx').on(table.lastSeenAt.desc().nullsLast(), table.id.desc().nullsFirst()).where(present),
    index('users_search_idx').using('gin', sql`(${userSearchText}) gin_trgm_ops`),
    // Few rows at any number of users: finds the staff who receive a mail.
    index('users_staff_idx').on(table.role).where(sql`role not in ('User', 'Seller')`),
  ],
);

/** A session. The cookie names it; a deleted, ended or expired row invalidates the cookie at once. */
export const sessions = pgTable(
  'sessions',
  {
    id: idColumn(),
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: createdAt(),
    expiresAt: timestamptz().notNull(),
    /** When the user last authenticated in this session: at the sign-in, or by `reauthenticate`. */
    authenticatedAt: timestamptz().notNull().defaultNow(),
    /** When the user last made a request; updated at most once per minute. */
    lastSeenAt: timestamptz().notNull().defaultNow(),
    endedAt: timestamptz(),
    /** The customer or seller whose portal this session of staff shows, read-only, until `viewEndsAt` (lib/auth/viewing.ts). */
    viewedUserId: text().references(() => users.id, { onDelete: 'set null' }),
    viewEndsAt: timestamptz(),
    ip: text().notNull().default(''),
    userAgent: text().notNull().default(''),
  },
  (table) => [
    index('sessions_user_idx').on(table.userId),
    index('sessions_ended_idx').on(table.endedAt).where(sql`ended_at is not null`),
    index('sessions_expires_idx').on(table.expiresAt),
  ],
);

/** One-time codes for a user who lost the authenticator; only their hashes are stored. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** argon2id in PHC string format. */
    codeHash: text().notNull(),
    usedAt: timestamptz(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.codeHash] })],
);
