import { z } from 'zod';
import { route } from '@/lib/auth/route';
import { createLicenseBody, licenseResponse, licenseView, listLicensesQuery } from '@/lib/licenses/contract';
import { createLicense, listLicenses } from '@/lib/licenses/licenses';
import { pageResponse, totalCount } from '@/lib/platform/http/list-response';

/** Lists licenses, newest first. X-Total-Count has the total. */
export const GET = route(
  {
    access: 'ManageLicenses',
    summary: 'Lists all licenses, newest first.',
    response: z.array(licenseResponse),
    responseHeaders: totalCount,
    query: listLicensesQuery,
  },
  async ({ query }) => pageResponse(await listLicenses(query), licenseView),
);

export const POST = route(
  {
    access: 'ManageLicenses',
    summary: 'Creates a license.',
    response: licenseResponse,
    status: 201,
    errors: ['conflict'],
    body: createLicenseBody,
  },
  async ({ actor, body }) => licenseView(await createLicense(actor, body)),
);
