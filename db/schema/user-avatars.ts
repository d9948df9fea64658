import { customType, pgTable, text } from 'drizzle-orm/pg-core';
import { updatedAt } from '@/db/columns';
import { users } from './users';

const bytea = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' });

/** Profile pictures. About 10 kB each, stored in the database so that they are included in backups. */
export const userAvatars = pgTable('user_avatars', {
  userId: text()
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** A square WebP image, re-encoded by the app; the uploaded file is not kept. */
  image: bytea().notNull(),
  /** SHA-256 of the image, in hex; used as the ETag. */
  hash: text().notNull(),
  updatedAt: updatedAt(),
});
