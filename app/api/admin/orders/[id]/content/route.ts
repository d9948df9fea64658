import { NextResponse } from 'next/server';
import { attachContent, maxContentBytes } from '@/lib/content/attach';
import { receiveFile } from '@/lib/http/receive-file';
import { route } from '@/lib/http/route';
import { deliverSoon } from '@/lib/mail/deliver-soon';
import { getAnyOrder } from '@/lib/orders/queries';
import { orderIdParams } from '@/lib/orders/schemas';
import { adminOrderView } from '@/lib/orders/views';

/** Delivers the file in the form's field `file`; it takes the place of an earlier one. */
export const POST = route({ access: 'ManageOrders', params: orderIdParams }, async ({ actor, params, request }) => {
  const content = await receiveFile(request, { field: 'file', maxBytes: maxContentBytes }, (file, name) =>
    attachContent(actor, params.id, file, name),
  );
  deliverSoon();
  return NextResponse.json({ content, order: adminOrderView(await getAnyOrder(params.id)) }, { status: 201 });
});
