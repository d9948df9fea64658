import { route } from '@/lib/auth/route';
import { configQuery, privateKeyResponse } from '@/lib/payments/config/contract';
import { maxPrivateKeyBytes, storePrivateKey } from '@/lib/payments/config/update-config';
import { receiveFile } from '@/lib/platform/http/receive-file';

/** Stores the merchant's key from the form field `private_key`. `?mode=` selects another mode than the active one. */
export const POST = route(
  {
    access: 'ManagePayments',
    recentAuthentication: true,
    summary: "Stores the merchant's private key for WeChat Pay.",
    response: privateKeyResponse,
    status: 201,
    errors: ['unsupported_type'],
    upload: { field: 'private_key', maxBytes: maxPrivateKeyBytes },
    query: configQuery,
  },
  async ({ actor, query, request }) => {
    await receiveFile(
      request,
      { field: 'private_key', maxBytes: maxPrivateKeyBytes, userId: actor.userId },
      (file, name) => storePrivateKey(actor, file, name, query.mode),
    );
    return { ok: true as const, has_private_key: true as const };
  },
);
