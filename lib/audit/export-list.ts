import { type Database, db } from '@/db/client';
import type { Actor } from '@/lib/access/actor';
import { recordAudit } from '@/lib/platform/audit/record';
import { csvResponse } from '@/lib/platform/csv';

/**
 * Answers the export of a list of staff as a CSV file, and records who exported which part of it before the first row is
 * sent.
 * @param list the first part of the file name
 * @param filter the filter of the list; undefined values are left out
 * @param pieces generates the file from one snapshot of the database
 * @throws AppError rate_limited when too many lists are being sent
 */
export function exportList(
  actor: Actor,
  list: string,
  filter: Record<string, unknown>,
  pieces: (on: Database) => AsyncGenerator<string>,
): Promise<Response> {
  const set = Object.entries(filter).filter(([, value]) => value !== undefined && value !== '');
  const named = set.map(([name, value]) => `${name} ${String(value)}`).join(', ');
  // Inside the response, which closes its snapshot if this fails.
  return csvResponse(actor, list, async function* (on) {
    await recordAudit(db(), actor, {
      action: 'list.exported',
      details: `${actor.email} exported the list “${list}”${named ? ` with ${named}` : ''}.`,
      entityType: 'export',
      entityId: list,
    });
    yield* pieces(on);
  });
}
