import { NextResponse } from 'next/server';
import { route } from '@/lib/http/route';
import { createLicense } from '@/lib/licenses/create';
import { listLicenses } from '@/lib/licenses/queries';
import { createLicenseBody, listLicensesQuery } from '@/lib/licenses/schemas';
import { licenseView } from '@/lib/licenses/views';

/** Newest first: an array, its length over all pages in X-Total-Count. */
export const GET = route({ access: 'ManageLicenses', query: listLicensesQuery }, async ({ query }) => {
  const { rows, total } = await listLicenses(query);
  return NextResponse.json(rows.map(licenseView), { headers: { 'X-Total-Count': String(total) } });
});

export const POST = route({ access: 'ManageLicenses', body: createLicenseBody }, async ({ actor, body }) =>
  NextResponse.json(licenseView(await createLicense(actor, body)), { status: 201 }),
);
