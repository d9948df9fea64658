import { NextResponse } from 'next/server';
import { z } from 'zod';
import { route } from '@/lib/auth/route';
import { idCursorField, pageQuery } from '@/lib/platform/http/fields';
import { cursorHeaders, pageHeaders } from '@/lib/platform/http/list-response';
import { walletTransactionResponse, walletTransactionView } from '@/lib/wallet/contract';
import { listWalletTransactions } from '@/lib/wallet/queries';

const query = pageQuery(100, 1000).extend({ q: z.string().max(200).optional(), cursor: idCursorField });

/** Lists the caller's transactions, newest first. */
export const GET = route(
  {
    access: 'session',
    summary: "Lists the caller's transactions, newest first.",
    response: z.array(walletTransactionResponse),
    responseHeaders: cursorHeaders,
    query,
  },
  async ({ actor, query }) => {
    const { rows, ...page } = await listWalletTransactions(actor.userId, query);
    return NextResponse.json(rows.map(walletTransactionView), { headers: pageHeaders(page) });
  },
);
