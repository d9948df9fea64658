import { NextResponse } from 'next/server';
import { z } from 'zod';
import { totalCount } from '@/lib/http/answer-headers';
import { route } from '@/lib/http/route';
import { licenseAnswer } from '@/lib/licenses/answers';
import { createLicense } from '@/lib/licenses/create';
import { listLicenses } from '@/lib/licenses/queries';
import { createLicenseBody, listLicensesQuery } from '@/lib/licenses/schemas';
import { licenseView } from '@/lib/licenses/views';

/** Newest first: an array, its length over all pages in X-Total-Count. */
export const GET = route(
  {
    access: 'ManageLicenses',
    summary: 'Every license, newest first.',
    answer: z.array(licenseAnswer),
    answerHeaders: totalCount,
    query: listLicensesQuery,
  },
  async ({ query }) => {
    const { rows, total } = await listLicenses(query);
    return NextResponse.json(rows.map(licenseView), { headers: { 'X-Total-Count': String(total) } });
  },
);

export const POST = route(
  {
    access: 'ManageLicenses',
    summary: 'Makes a license.',
    answer: licenseAnswer,
    status: 201,
    errors: ['conflict'],
    body: createLicenseBody,
  },
  async ({ actor, body }) => licenseView(await createLicense(actor, body)),
);
