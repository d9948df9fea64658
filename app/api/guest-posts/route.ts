import { NextResponse } from 'next/server';
import { hasPermission } from '@/lib/acl/require';
import { route } from '@/lib/http/route';
import { createSite } from '@/lib/sites/create';
import { createSiteBody } from '@/lib/sites/edit-schemas';
import { listAllSites, listListedSites } from '@/lib/sites/queries';
import { sitesQuery } from '@/lib/sites/schemas';
import { adminSiteView, publicSiteView } from '@/lib/sites/views';

/** Every site and field for staff who manage sites; the public catalogue for anybody else (decision 16). */
export const GET = route({ access: 'session', query: sitesQuery }, async ({ actor, query }) => {
  if (hasPermission(actor, 'ManageSites')) {
    const { rows, total } = await listAllSites(query);
    return answer(rows.map(adminSiteView), total, query.limit);
  }
  const { rows, total } = await listListedSites(query);
  return answer(rows.map(publicSiteView), total, query.limit);
});

/** An array; a page of it says in X-Total-Count how many there are over all pages. */
function answer(views: unknown[], total: number, limit: number | undefined): Response {
  return NextResponse.json(views, limit === undefined ? {} : { headers: { 'X-Total-Count': String(total) } });
}

export const POST = route({ access: 'ManageSites', body: createSiteBody }, async ({ actor, body }) =>
  NextResponse.json(adminSiteView(await createSite(actor, body)), { status: 201 }),
);
