import { route } from '@/lib/auth/route';
import { deleteLicense } from '@/lib/licenses/delete';
import { getLicense } from '@/lib/licenses/queries';
import { licenseIdParams, updateLicenseBody } from '@/lib/licenses/schemas';
import { updateLicense } from '@/lib/licenses/update';
import { licenseResponse, licenseView } from '@/lib/licenses/views';

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
