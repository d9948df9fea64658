import { sql } from 'drizzle-orm';
import { bigint, boolean, index, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { createdAt, idColumn, moment, updatedAt, version } from '../columns';

export const userStatuses = ['Active', 'Pending', 'Suspended', 'Expired'] as const;
export type UserStatus = (typeof userStatuses)[number];

/** A role by its name; Admin, User and Seller are built in and cannot be deleted. */
export const roles = pgTable(
  'roles',
  {
    /** Kept as typed; unique without regard to case. */
    name: text().primaryKey(),
    isBuiltIn: boolean().notNull().default(false),
    createdAt: createdAt(),
  },
  (table) => [uniqueIndex('roles_name_key').on(sql`lower(${table.name})`)],
);

/** What a role may do: one row a permission of lib/access/permissions.ts. Admin needs no rows: it may do everything. */
export const rolePermissions = pgTable(
  'role_permissions',
  {
    roleName: text()
      .notNull()
      .references(() => roles.name, { onDelete: 'cascade', onUpdate: 'cascade' }),
    permission: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.roleName, table.permission] })],
);

export const users = pgTable(
  'users',
  {
    id: idColumn(),
    name: text().notNull().default(''),
    /** Kept as typed; unique without regard to case. */
    email: text().notNull(),
    /** argon2id, in its own text form. */
    passwordHash: text().notNull(),
    /** Pending until the e-mail is verified. */
    status: text({ enum: userStatuses }).notNull().default('Pending'),
    role: text()
      .notNull()
      .references(() => roles.name, { onUpdate: 'cascade' }),
    /** When the person received the role; null: with the account. */
    roleSince: moment(),
    emailVerifiedAt: moment(),
    /** The authenticator's secret, encrypted; set while it is enrolled, in force once `totpEnabledAt` is set. */
    totpSecret: text(),
    /** When the enrolment that `totpEnabledAt` confirms was started. */
    totpBegunAt: moment(),
    totpEnabledAt: moment(),
    /** The last 30-second step that was accepted: a code works once. */
    totpLastStep: bigint({ mode: 'number' }),
    /** Raised by edits of name, e-mail, status, role and password. */
    version: version(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    /** Set when an admin deletes the user; orders and transfers stay. */
    deletedAt: moment(),
  },
  (table) => [uniqueIndex('users_email_key').on(sql`lower(${table.email})`), index('users_role_idx').on(table.role)],
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
    expiresAt: moment().notNull(),
    /** When the user last authenticated in this session: at the sign-in, or by `reauthenticate`. */
    authenticatedAt: moment().defaultNow(),
    /** When the person last made a request; written at most once a minute. */
    lastSeenAt: moment().notNull().defaultNow(),
    endedAt: moment(),
    ip: text().notNull().default(''),
    userAgent: text().notNull().default(''),
  },
  (table) => [index('sessions_user_idx').on(table.userId)],
);

/** One-time codes for a user who lost the authenticator; only their hashes are stored. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** argon2id, in its own text form; rows of versions before 0.2 hold the SHA-256 in hex until a job has wrapped it. */
    codeHash: text().notNull(),
    usedAt: moment(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.codeHash] })],
);
