import { z } from 'zod';
import { pageQuery } from '../http/pagination';

/** GET /api/admin/users (spec 001, section 9: at most 500). */
export const walletUsersQuery = pageQuery(500, 500).extend({ q: z.string().trim().max(200).optional() });
export type WalletUsersQuery = z.output<typeof walletUsersQuery>;
