import { route } from '@/lib/auth/route';
import { adminPackageResponse, adminPackageView, packageIdParams, updatePackageBody } from '@/lib/packages/contract';
import { deletePackage, getPackage, updatePackage } from '@/lib/packages/packages';

/** Used to compare a stale edit with the current version. */
export const GET = route(
  {
    access: 'ManagePackages',
    summary: 'Returns a package with all fields.',
    response: adminPackageResponse,
    errors: ['not_found'],
    params: packageIdParams,
  },
  async ({ params }) => adminPackageView(await getPackage(params.id)),
);

export const PUT = route(
  {
    access: 'ManagePackages',
    summary: 'Updates a package.',
    description: 'Omitted fields stay unchanged.',
    response: adminPackageResponse,
    errors: ['not_found', 'conflict'],
    params: packageIdParams,
    body: updatePackageBody,
  },
  async ({ actor, params, body }) => adminPackageView(await updatePackage(actor, params.id, body)),
);

export const DELETE = route(
  { access: 'ManagePackages', summary: 'Deletes a package.', errors: ['not_found'], params: packageIdParams },
  async ({ actor, params }) => {
    await deletePackage(actor, params.id);
  },
);
