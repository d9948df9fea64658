import { route } from '@/lib/auth/route';
import { licenseIdParams, licenseResponse, licenseView, updateLicenseBody } from '@/lib/licenses/contract';
import { deleteLicense, getLicense, updateLicense } from '@/lib/licenses/licenses';

/** Used to compare a stale edit with the current version. */
export const GET = route(
  {
    access: 'ManageLicenses',
    summary: 'Returns a license.',
    response: licenseResponse,
    errors: ['not_found'],
    params: licenseIdParams,
  },
  async ({ params }) => licenseView(await getLicense(params.id)),
);

export const PUT = route(
  {
    access: 'ManageLicenses',
    summary: 'Updates a license.',
    description: 'Omitted fields stay unchanged.',
    response: licenseResponse,
    errors: ['not_found', 'conflict'],
    params: licenseIdParams,
    body: updateLicenseBody,
  },
  async ({ actor, params, body }) => licenseView(await updateLicense(actor, params.id, body)),
);

export const DELETE = route(
  { access: 'ManageLicenses', summary: 'Deletes a license.', errors: ['not_found'], params: licenseIdParams },
  async ({ actor, params }) => {
    await deleteLicense(actor, params.id);
  },
);
