import { NextResponse } from 'next/server';
import { z } from 'zod';
import { hasPermission } from '@/lib/acl/require';
import { AppError } from '@/lib/errors';
import { turnedOff, unlessTurnedOff } from '@/lib/flags/flag-sql';
import { flags } from '@/lib/flags/flags';
import { totalCount } from '@/lib/http/answer-headers';
import { route } from '@/lib/http/route';
import { answerCatalogue } from '@/lib/sites/answer-catalogue';
import { adminSiteAnswer, publicSiteAnswer } from '@/lib/sites/answers';
import { catalogueVersion } from '@/lib/sites/catalogue-version';
import { createSite } from '@/lib/sites/create';
import { createSiteBody } from '@/lib/sites/edit-schemas';
import { listAllSites } from '@/lib/sites/queries';
import { sitesQuery } from '@/lib/sites/schemas';
import { totalHeaders } from '@/lib/sites/total-headers';
import { adminSiteView } from '@/lib/sites/views';

const alongside = unlessTurnedOff('marketplace', catalogueVersion);
const listing = {
  access: 'session',
  summary: 'The approved sites; for who manages sites every site and field.',
  description: 'The total is counted only with a limit, at most to 1,000 with `total=capped`.',
  query: sitesQuery,
  alongside,
  answer: { mediaTypes: [], orJson: z.union([z.array(publicSiteAnswer), z.array(adminSiteAnswer)]) },
  answerHeaders: {
    ...totalCount,
    'X-Total-Capped': 'true where more than X-Total-Count match.',
    'X-Next-Cursor': 'The `cursor` of the next page; left out on the last one.',
  },
  isRevalidated: true,
  errors: ['not_configured'],
} as const;

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

export const POST = route(
  {
    access: 'ManageSites',
    summary: 'Adds a site.',
    answer: adminSiteAnswer,
    status: 201,
    errors: ['conflict', 'not_configured'],
    body: createSiteBody,
  },
  async ({ actor, body }) => adminSiteView(await createSite(actor, body)),
);
