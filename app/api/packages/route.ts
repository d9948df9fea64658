import { NextResponse } from 'next/server';
import { z } from 'zod';
import { hasPermission } from '@/lib/acl/require';
import { totalCount } from '@/lib/http/answer-headers';
import { route } from '@/lib/http/route';
import { adminPackageAnswer, packageAnswer } from '@/lib/packages/answers';
import { createPackage } from '@/lib/packages/create';
import { listOfferedPackages, listPackages } from '@/lib/packages/queries';
import { createPackageBody, listPackagesQuery } from '@/lib/packages/schemas';
import { adminPackageView, packageView } from '@/lib/packages/views';

/** Every package and field for staff who manage packages; for anybody else what can be ordered now. */
export const GET = route(
  {
    access: 'session',
    summary: 'Every package for who manages packages; for anybody else what can be ordered now.',
    answer: z.union([z.array(packageAnswer), z.array(adminPackageAnswer)]),
    answerHeaders: totalCount,
    query: listPackagesQuery,
  },
  async ({ actor, query }) => {
    if (!hasPermission(actor, 'ManagePackages')) return (await listOfferedPackages()).map(packageView);
    const { rows, total } = await listPackages(query);
    return NextResponse.json(rows.map(adminPackageView), { headers: { 'X-Total-Count': String(total) } });
  },
);

export const POST = route(
  {
    access: 'ManagePackages',
    summary: 'Adds a package.',
    answer: adminPackageAnswer,
    status: 201,
    body: createPackageBody,
  },
  async ({ actor, body }) => adminPackageView(await createPackage(actor, body)),
);
