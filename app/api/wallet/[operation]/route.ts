import { NextResponse } from 'next/server';
import { z } from 'zod';
import { joinRoutes, route } from '@/lib/auth/route';
import { getWalletBalance } from '@/lib/ledger/balance';
import { idCursorField, pageQuery } from '@/lib/platform/http/fields';
import { cursorHeaders, pageHeaders } from '@/lib/platform/http/list-response';
import {
  walletBalanceResponse,
  walletBalanceView,
  walletTransactionResponse,
  walletTransactionView,
} from '@/lib/wallet/contract';
import { listWalletTransactions } from '@/lib/wallet/queries';

const query = pageQuery(100, 1000).extend({ q: z.string().max(200).optional(), cursor: idCursorField });

export const { DELETE, GET, OPTIONS, PATCH, POST, PUT } = joinRoutes({
  balance: {
    GET: route(
      { access: 'session', summary: "Returns the caller's balance.", response: walletBalanceResponse },
      async ({ actor }) => walletBalanceView(await getWalletBalance(actor.userId)),
    ),
  },
  transactions: {
    /** Lists the caller's transactions, newest first. */
    GET: route(
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
    ),
  },
});
