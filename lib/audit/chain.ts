import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { auditLogs } from '../../db/schema/audit';

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

/**
 * The seal of an entry: SHA-256 over its place, the seal before it and what it says.
 * @param previous the hash of the seal before; '' for the first
 * @param content null when there is no such entry any more
 * @returns lower-case hex
 */
export function sealHash(position: number, previous: string, content: string | null): string {
  return createHash('sha256')
    .update(`${position}\n${previous}\n${content ?? goneContent}`)
    .digest('hex');
}
