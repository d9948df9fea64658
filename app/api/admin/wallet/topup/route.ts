import { NextResponse } from 'next/server';
import { parseInput } from '@/lib/http/parse';
import { route } from '@/lib/http/route';
import { idempotencyKeyField, manualTopupBody } from '@/lib/wallet/admin-schemas';
import { manualTopupView } from '@/lib/wallet/admin-views';
import { topUpManually } from '@/lib/wallet/manual-topup';

export const POST = route({ access: 'ManageWallets', body: manualTopupBody }, async ({ actor, body, request }) => {
  const key = parseInput(idempotencyKeyField, request.headers.get('idempotency-key'));
  return NextResponse.json(manualTopupView(await topUpManually(actor, body, key)), { status: 201 });
});
