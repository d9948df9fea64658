import { z } from 'zod';
import { hasPermission } from '@/lib/access/authorize';
import { route } from '@/lib/auth/route';
import {
  adminPackageResponse,
  adminPackageView,
  createPackageBody,
  listPackagesQuery,
  packageResponse,
  packageView,
} from '@/lib/packages/contract';
import { createPackage, listOfferedPackages, listPackages } from '@/lib/packages/packages';
import { pageResponse, totalCount } from '@/lib/platform/http/list-response';

/** Lists every package with every field for staff who manage packages, and packages on sale for other users. */
export const GET = route(
  {
    access: 'account:orders',
    summary: 'Lists the packages on sale; with ManagePackages, all packages.',
    response: z.union([z.array(packageResponse), z.array(adminPackageResponse)]),
    responseHeaders: totalCount,
    query: listPackagesQuery,
  },
  async ({ actor, query }) => {
    if (!hasPermission(actor, 'ManagePackages')) return (await listOfferedPackages()).map(packageView);
    return pageResponse(await listPackages(query), adminPackageView);
  },
);

export const POST = route(
  {
    access: 'ManagePackages',
    summary: 'Creates a package.',
    response: adminPackageResponse,
    status: 201,
    body: createPackageBody,
  },
  async ({ actor, body }) => adminPackageView(await createPackage(actor, body)),
);
