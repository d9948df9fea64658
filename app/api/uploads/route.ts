import { hasPermission } from '@/lib/access/authorize';
import { route } from '@/lib/auth/route';
import { createDirectUpload, createUploadBody, uploadFormResponse } from '@/lib/platform/storage/direct-uploads';

/** Files of more than 50 MB are backup archives, which no API token may upload. */
export const POST = route(
  {
    access: 'session',
    scope: ['orders:write', 'seller', 'ManageSites', 'ManageOrders', 'ManagePayouts'],
    summary: 'Creates a form that sends a file to the bucket directly.',
    description:
      'For a file of more than 4 MB, where the platform refuses larger requests (Vercel). Post `fields` and then the file as the field `file` to `url`. Then send `{"upload": "<id>", "name": "<file name>"}` as JSON to the endpoint of the file, instead of a form. It uses the file once and deletes it, so a repeated request is answered with 404, also with the same Idempotency-Key. A file that is not used is deleted after a day.',
    body: createUploadBody,
    response: uploadFormResponse,
    status: 201,
    errors: ['not_configured', 'rate_limited'],
  },
  ({ actor, body }) => createDirectUpload(actor.userId, body.size_bytes, hasPermission(actor, 'ManageBackups')),
);
