import { NextResponse } from 'next/server';
import { receiveFile } from '@/lib/http/receive-file';
import { route } from '@/lib/http/route';
import { configQuery } from '@/lib/payments/config-schemas';
import { maxPrivateKeyBytes, storePrivateKey } from '@/lib/payments/store-private-key';

/** The merchant's key from the form's field `private_key`; `?mode=` says whose, when it is not the mode in force. */
export const POST = route({ access: 'ManagePayments', query: configQuery }, async ({ actor, query, request }) => {
  await receiveFile(request, { field: 'private_key', maxBytes: maxPrivateKeyBytes }, (file, name) =>
    storePrivateKey(actor, file, name, query.mode),
  );
  return NextResponse.json({ ok: true, has_private_key: true }, { status: 201 });
});
