import { bigint, integer, text, timestamp } from 'drizzle-orm/pg-core';

/** Primary key made by `newId()`. */
export const idColumn = () => text().primaryKey();

/** A moment, kept with its zone. */
export const moment = () => timestamp({ withTimezone: true });

/** When the row was written; set by the database's clock. */
export const createdAt = () => moment().notNull().defaultNow();

/** When the row was last changed; every update sets it. */
export const updatedAt = () =>
  moment()
    .notNull()
    .defaultNow()
    .$onUpdate(() => new Date());

/** Integer minor units of the currency beside it. Safe integers: no wallet holds 90 trillion dollars. */
export const minorUnits = () => bigint({ mode: 'number' });

/** A number people say aloud ("order 1042"): counted by the database. */
export const countedId = () => integer().primaryKey().generatedByDefaultAsIdentity();

/** Raised by every update; an edit names the version it started from, so that a stale one is told, not lost. */
export const version = () => integer().notNull().default(1);
