import { NextResponse } from 'next/server';
import { AppError } from '../errors';
import { listAllSites } from './queries';
import type { SitesQuery } from './schemas';
import { totalHeaders } from './total-headers';
import { adminSiteView } from './views';

/**
 * Answers GET /api/guest-posts for staff who manage sites: every site and every field (decision 16).
 * @throws AppError invalid_input for a cursor, which only the catalogue has
 */
export async function answerStaffList(query: SitesQuery): Promise<Response> {
  if (query.cursor) throw new AppError('invalid_input', 'The list for staff is paged by offset, not by cursor.');
  const { rows, counted } = await listAllSites(query);
  return NextResponse.json(rows.map(adminSiteView), { headers: totalHeaders(counted) });
}
