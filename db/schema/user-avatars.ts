import { customType, pgTable, text } from 'drizzle-orm/pg-core';
import { updatedAt } from '../columns';
import { users } from './users';

const bytea = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' });

/** A person's picture: some 10 kB, so that it lives and is backed up with the person. */
export const userAvatars = pgTable('user_avatars', {
  userId: text()
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** WebP, square, made by us: nothing of the uploaded file is kept. */
  image: bytea().notNull(),
  /** SHA-256 of the image, in hex: what a browser asks with whether it changed. */
  hash: text().notNull(),
  updatedAt: updatedAt(),
});
