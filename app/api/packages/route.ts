import { NextResponse } from 'next/server';
import { hasPermission } from '@/lib/acl/require';
import { route } from '@/lib/http/route';
import { createPackage } from '@/lib/packages/create';
import { listOfferedPackages, listPackages } from '@/lib/packages/queries';
import { createPackageBody, listPackagesQuery } from '@/lib/packages/schemas';
import { adminPackageView, packageView } from '@/lib/packages/views';

/** Every package and field for staff who manage packages; for anybody else what can be ordered now. */
export const GET = route({ access: 'session', query: listPackagesQuery }, async ({ actor, query }) => {
  if (!hasPermission(actor, 'ManagePackages')) return (await listOfferedPackages()).map(packageView);
  const { rows, total } = await listPackages(query);
  return NextResponse.json(rows.map(adminPackageView), { headers: { 'X-Total-Count': String(total) } });
});

export const POST = route({ access: 'ManagePackages', body: createPackageBody }, async ({ actor, body }) =>
  NextResponse.json(adminPackageView(await createPackage(actor, body)), { status: 201 }),
);
