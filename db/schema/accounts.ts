import { sql } from 'drizzle-orm';
import { check, index, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { createdAt, idColumn, minorUnits, timestamptz, updatedAt, version } from '@/db/columns';
import { accountRoles, type LinkRel } from '@/db/enums';
import { users } from './users';

/** What orders of an account must keep to. */
export type AccountPolicy = {
  /** The lowest Domain Rating of a site. */
  minDr?: number | undefined;
  /** The lowest monthly organic traffic of a site. */
  minTraffic?: number | undefined;
  /** Names of niches. */
  forbiddenNiches?: string[] | undefined;
  /** The `rel` that every link must have. */
  rel?: LinkRel | undefined;
  /** The highest total of an order without an approval, in USD cents, with tax. */
  approvalAboveCents?: number | undefined;
};

/** The texts of a team that searches cover, as the index `accounts_team_search_idx` holds them. */
export const teamSearchText = sql`lower(accounts.name || E'\\n' || accounts.email)`;

/** The name that lists sort by, as the index `accounts_name_idx` holds it. */
export const accountNameOrEmail = sql`lower(coalesce(nullif(accounts.name, ''), accounts.email))`;

/**
 * Who buys: an account owns the wallet, projects, orders, carts and documents. The personal account of a user has the
 * user's id; a trigger creates it with its owner.
 */
export const accounts = pgTable(
  'accounts',
  {
    id: idColumn(),
    kind: text({ enum: ['personal', 'team'] }).notNull(),
    /** Of a personal account its person's name and address, which a trigger copies; of a team its name and an owner's address. */
    name: text().notNull(),
    email: text().notNull(),
    policy: jsonb().$type<AccountPolicy>().notNull().default({}),
    /** Of the name and the policy. */
    version: version(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    /** A deleted account has no members and no money; its orders and documents stay. */
    deletedAt: timestamptz(),
  },
  (table) => [
    index('accounts_name_idx').on(accountNameOrEmail, table.id).where(sql`deleted_at is null`),
    index('accounts_team_search_idx').using('gin', sql`(${teamSearchText}) gin_trgm_ops`).where(sql`kind = 'team'`),
  ],
);

/** What a member and an invitation have in common. */
const membership = () => ({
  accountId: text()
    .notNull()
    .references(() => accounts.id),
  role: text({ enum: accountRoles }).notNull(),
  /** The ids of the projects that the member sees; null for all. */
  projectIds: text().array(),
  /** The most that the member's orders may cost in a month (UTC) without an approval, in USD cents; null for no limit. */
  monthlyLimitCents: minorUnits(),
});

export const accountMembers = pgTable(
  'account_members',
  {
    ...membership(),
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    version: version(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.userId] }),
    index('account_members_user_idx').on(table.userId),
    check('account_members_limit', sql`${table.monthlyLimitCents} >= 0`),
  ],
);

/**
 * Invitations by mail. Only a hash of the token is stored. A restore empties the table, so that a restored invitation
 * gives no access.
 */
export const accountInvitations = pgTable(
  'account_invitations',
  {
    id: idColumn(),
    ...membership(),
    /** The invitation works for a user with this address only. */
    email: text().notNull(),
    /** SHA-256 in hex of the link's token, 256 random bits. */
    tokenHash: text().notNull().unique(),
    invitedBy: text()
      .notNull()
      .references(() => users.id),
    createdAt: createdAt(),
    expiresAt: timestamptz().notNull(),
  },
  (table) => [
    uniqueIndex('account_invitations_email_key').on(table.accountId, sql`lower(${table.email})`),
    index('account_invitations_expires_idx').on(table.expiresAt),
    check('account_invitations_limit', sql`${table.monthlyLimitCents} >= 0`),
  ],
);

/**
 * Persons who can act through an account: who created its person, gave it a role or features, set its password or address,
 * or requested the reset of its second factor; and the members of a team, also former ones. Rows are never deleted
 * (lib/access/account-controllers.ts).
 */
export const accountControllers = pgTable(
  'account_controllers',
  {
    accountId: text()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    controllerId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The first of these actions. */
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.controllerId] })],
);
