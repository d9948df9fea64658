import { NextResponse } from 'next/server';
import { hasPermission } from '@/lib/acl/require';
import { AppError } from '@/lib/errors';
import { turnedOff, unlessTurnedOff } from '@/lib/flags/flag-sql';
import { flags } from '@/lib/flags/flags';
import { route } from '@/lib/http/route';
import { answerCatalogue } from '@/lib/sites/answer-catalogue';
import { catalogueVersion } from '@/lib/sites/catalogue-version';
import { createSite } from '@/lib/sites/create';
import { createSiteBody } from '@/lib/sites/edit-schemas';
import { listAllSites } from '@/lib/sites/queries';
import { sitesQuery } from '@/lib/sites/schemas';
import { totalHeaders } from '@/lib/sites/total-headers';
import { adminSiteView } from '@/lib/sites/views';

const alongside = unlessTurnedOff('marketplace', catalogueVersion);
const listing = { access: 'session', query: sitesQuery, alongside } as const;

/** Every site and field for staff who manage sites; the public catalogue for anybody else (decision 16). */
export const GET = route(listing, async ({ actor, query, request, alongside: version }) => {
  if (!hasPermission(actor, 'ManageSites')) {
    if (version === turnedOff) throw new AppError('not_configured', flags.marketplace.off);
    return answerCatalogue(query, request.headers, version ?? undefined);
  }
  if (query.cursor) throw new AppError('invalid_input', 'The list for staff is paged by offset, not by cursor.');
  const { rows, counted } = await listAllSites(query);
  return NextResponse.json(rows.map(adminSiteView), { headers: totalHeaders(counted) });
});

export const POST = route({ access: 'ManageSites', body: createSiteBody }, async ({ actor, body }) =>
  NextResponse.json(adminSiteView(await createSite(actor, body)), { status: 201 }),
);
