import { NextResponse } from 'next/server';
import { z } from 'zod';
import { hasPermission } from '@/lib/access/authorize';
import { route } from '@/lib/auth/route';
import { totalCount } from '@/lib/platform/http/list-response';
import { listWalletUsers } from '@/lib/users/queries';
import { walletUsersQuery } from '@/lib/users/schemas';
import { walletUserResponse, walletUserView } from '@/lib/users/views';

/** Lists users by name, for user pickers. X-Total-Count has the total. */
export const GET = route(
  {
    access: ['ManageWallets', 'ManageUsers', 'ManageOrders'],
    summary: 'Lists users by name, to select one.',
    response: z.array(walletUserResponse),
    responseHeaders: totalCount,
    query: walletUsersQuery,
  },
  async ({ actor, query }) => {
    const { rows, total } = await listWalletUsers(query);
    const withBalance = hasPermission(actor, 'ManageWallets');
    const users = rows.map((row) => walletUserView(row, withBalance));
    return NextResponse.json(users, { headers: { 'X-Total-Count': String(total) } });
  },
);
