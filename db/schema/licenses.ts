import { sql } from 'drizzle-orm';
import { index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { createdAt, identityColumn, updatedAt, version } from '@/db/columns';
import { packages } from './packages';
import { users } from './users';

export const licenseStatuses = ['active', 'inactive'] as const;
export type LicenseStatus = (typeof licenseStatuses)[number];

/** An issued license key, optionally for a package or a user. */
export const licenses = pgTable(
  'licenses',
  {
    id: identityColumn(),
    name: text().notNull(),
    /** Unique regardless of case, because keys are dictated. */
    key: text().notNull(),
    status: text({ enum: licenseStatuses }).notNull().default('active'),
    packageId: integer().references(() => packages.id),
    userId: text().references(() => users.id),
    version: version(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    uniqueIndex('licenses_key_key').on(sql`lower(${table.key})`),
    index('licenses_package_idx').on(table.packageId),
    index('licenses_user_idx').on(table.userId),
  ],
);
