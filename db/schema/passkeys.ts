import { bigint, boolean, index, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt, idColumn, timestamptz } from '@/db/columns';
import { users } from './users';

/** A WebAuthn credential. Only the public key is stored: read access to this table allows no sign-in. */
export const passkeys = pgTable(
  'passkeys',
  {
    id: idColumn(),
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The credential id, base64url. */
    credentialId: text().notNull().unique(),
    /** The COSE public key, base64url. */
    publicKey: text().notNull(),
    /** The authenticator's signature counter; 0 for authenticators that do not count, e.g. synchronized ones. */
    counter: bigint({ mode: 'number' }).notNull(),
    /** The transports of the authenticator: internal, usb, hybrid… */
    transports: text().array().notNull(),
    /** Whether the credential is backed up (synchronized). */
    isBackedUp: boolean().notNull(),
    /** The name given by the user. */
    name: text().notNull(),
    createdAt: createdAt(),
    lastUsedAt: timestamptz(),
  },
  (table) => [index('passkeys_user_idx').on(table.userId)],
);

export const challengePurposes = ['enroll', 'sign-in', 'second-factor', 'confirm'] as const;
export type ChallengePurpose = (typeof challengePurposes)[number];

/** A pending challenge; the first response deletes the row. */
export const passkeyChallenges = pgTable(
  'passkey_challenges',
  {
    /** SHA-256 of the challenge, in hex, so that read access to this table reveals no challenge. */
    id: idColumn(),
    purpose: text({ enum: challengePurposes }).notNull(),
    /** Null for a sign-in, where the passkey identifies the user. */
    userId: text().references(() => users.id, { onDelete: 'cascade' }),
    expiresAt: timestamptz().notNull(),
  },
  (table) => [index('passkey_challenges_expires_idx').on(table.expiresAt)],
);
