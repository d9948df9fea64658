import { NextResponse } from 'next/server';
import type { Actor } from '../auth/actor';
import { AppError } from '../errors';
import { listResponse } from '../http/list-response';
import { allSites, listAllSites } from './queries';
import type { SitesQuery } from './schemas';
import { totalHeaders } from './total-headers';
import { adminSiteView } from './views';

/**
 * Answers GET /api/guest-posts for staff who manage sites: every site and every field (decision 16).
 * @throws AppError invalid_input for a cursor, which only the catalogue has; rate_limited for a long list without limit
 */
export async function answerStaffList(actor: Actor, query: SitesQuery): Promise<Response> {
  if (query.cursor) throw new AppError('invalid_input', 'The list for staff is paged by offset, not by cursor.');
  if (query.limit === undefined) {
    return listResponse({ caller: actor, limit: undefined, rows: allSites(query), view: adminSiteView });
  }
  const { rows, counted } = await listAllSites(query);
  return NextResponse.json(rows.map(adminSiteView), { headers: totalHeaders(counted) });
}
