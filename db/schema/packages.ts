import { boolean, pgTable, text } from 'drizzle-orm/pg-core';
import { currencies } from '../../lib/money';
import { countedId, createdAt, minorUnits, moment, updatedAt } from '../columns';

/** A bundle of links sold at one price. */
export const packages = pgTable('packages', {
  id: countedId(),
  name: text().notNull(),
  description: text().notNull().default(''),
  priceCents: minorUnits().notNull(),
  currency: text({ enum: currencies }).notNull().default('USD'),
  /** CSV text or JSON, as the admin wrote it (spec 000, section 3). */
  links: text().notNull().default(''),
  isOnSale: boolean().notNull().default(true),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
  deletedAt: moment(),
});
