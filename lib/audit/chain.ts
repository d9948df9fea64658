import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { auditLogs } from '../../db/schema/audit';
import { type AuditKey, hmac } from '../platform/audit/keys';

/**
 * Everything an entry says as one text that is always the same for the same entry, whatever the session's settings:
 * PostgreSQL's text form of jsonb, the moment in microseconds.
 */
export const entryContent = sql<string | null>`jsonb_build_array(
  ${auditLogs.id}, ${auditLogs.action}, ${auditLogs.details}, ${auditLogs.userId}, ${auditLogs.user}, ${auditLogs.role},
  ${auditLogs.amountCents}, ${auditLogs.source}, ${auditLogs.entityType}, ${auditLogs.entityId}, ${auditLogs.before},
  ${auditLogs.after}, ${auditLogs.ip}, ${auditLogs.requestId},
  (extract(epoch from ${auditLogs.timestamp}) * 1000000)::bigint
)::text`;

/** What is sealed for an entry that was gone before its turn came. */
const goneContent = 'gone';

/** What a seal covers. */
export type Sealed = {
  position: number;
  auditId: number;
  sealedAt: Date;
  /** Of the entry; null when there is no such entry any more. */
  content: string | null;
  mac: string | null;
};

/** All of it as one text, after the hash of the seal before ('' for the first). */
const sealText = (previous: string, { position, auditId, sealedAt, content, mac }: Sealed) =>
  JSON.stringify([position, previous, auditId, sealedAt.getTime(), content ?? goneContent, mac]);

/** The seal of an entry: HMAC-SHA256 over its place, the seal before it and what it says. @returns lower-case hex */
export function sealHash(key: AuditKey, previous: string, sealed: Sealed): string {
  return hmac(key.seal, sealText(previous, sealed)).digest('hex');
}

/** The seal that versions before keyed seals made: SHA-256, which needs no key to compute. @returns lower-case hex */
export function unkeyedHash(previous: string, { position, content }: Pick<Sealed, 'position' | 'content'>): string {
  return createHash('sha256')
    .update(`${position}\n${previous}\n${content ?? goneContent}`)
    .digest('hex');
}

/**
 * A digest over seals and entries from the first on, which needs no key to compute. An anchor holds it
 * (anchor-chain.ts), so that entries stay provable whose key is gone.
 */
export class ChainDigest {
  readonly #sha = createHash('sha256');

  add(hash: string, keyId: string | null, sealed: Sealed): void {
    this.#sha.update(`${sealText(hash, sealed)}\n${keyId ?? ''}\n`);
  }

  /** Of everything added so far, in lower-case hex. */
  soFar(): string {
    return this.#sha.copy().digest('hex');
  }
}
