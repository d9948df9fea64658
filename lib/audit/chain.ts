import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { auditLogs } from '@/db/schema/audit';
import { type AuditKey, hmac } from '@/lib/platform/audit/keys';

/**
 * The content of an entry as one deterministic text, independent of the session's settings: PostgreSQL's text form of
 * jsonb, with the timestamp in microseconds.
 */
export const entryContent = sql<string | null>`jsonb_build_array(
  ${auditLogs.id}, ${auditLogs.action}, ${auditLogs.details}, ${auditLogs.userId}, ${auditLogs.user}, ${auditLogs.role},
  ${auditLogs.amountCents}, ${auditLogs.source}, ${auditLogs.entityType}, ${auditLogs.entityId}, ${auditLogs.before},
  ${auditLogs.after}, ${auditLogs.ip}, ${auditLogs.requestId},
  (extract(epoch from ${auditLogs.timestamp}) * 1000000)::bigint
)::text`;

/** The content in the seal of an entry that was deleted before it was sealed. */
const deletedContent = 'gone';

/** The data that a seal covers. */
export type Sealed = {
  position: number;
  auditId: number;
  sealedAt: Date;
  /** The content of the entry; null when it no longer exists. */
  content: string | null;
  mac: string | null;
};

/** Serializes the data of a seal, after the hash of the previous seal ('' for the first). */
const sealText = (previous: string, { position, auditId, sealedAt, content, mac }: Sealed) =>
  JSON.stringify([position, previous, auditId, sealedAt.getTime(), content ?? deletedContent, mac]);

/**
 * Computes the seal of an entry: HMAC-SHA256 over its position, the previous seal and its content. @returns lower-case
 * hex
 */
export function sealHash(key: AuditKey, previous: string, sealed: Sealed): string {
  return hmac(key.seal, sealText(previous, sealed)).digest('hex');
}

/**
 * A digest of all seals and entries from the first, computed without a key. An anchor contains it (anchor-chain.ts), so
 * that entries remain verifiable after their key was removed.
 */
export class ChainDigest {
  readonly #sha = createHash('sha256');

  add(hash: string, keyId: string, sealed: Sealed): void {
    this.#sha.update(`${sealText(hash, sealed)}\n${keyId}\n`);
  }

  /** Returns the digest of everything added so far, in lower-case hex. */
  toHex(): string {
    return this.#sha.copy().digest('hex');
  }
}
