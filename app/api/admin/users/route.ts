import { NextResponse } from 'next/server';
import { z } from 'zod';
import { hasPermission } from '@/lib/access/authorize';
import { route } from '@/lib/auth/route';
import { cursorHeaders, pageHeaders } from '@/lib/platform/http/list-response';
import { walletUserResponse, walletUsersQuery, walletUserView } from '@/lib/users/contract';
import { listWalletUsers } from '@/lib/users/wallet-users';

/** Lists users by name, for user pickers. */
export const GET = route(
  {
    access: ['ManageWallets', 'ManageUsers', 'ManageOrders'],
    summary: 'Lists users by name, to select one.',
    response: z.array(walletUserResponse),
    responseHeaders: cursorHeaders,
    query: walletUsersQuery,
  },
  async ({ actor, query }) => {
    const { rows, ...page } = await listWalletUsers(query);
    const withBalance = hasPermission(actor, 'ManageWallets');
    const users = rows.map((row) => walletUserView(row, withBalance));
    return NextResponse.json(users, { headers: pageHeaders(page) });
  },
);
