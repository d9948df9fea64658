import { z } from 'zod';
import type { ApprovalKind } from '../../db/schema/approvals';
import type { Actor } from '../access/actor';
import { hasPermission } from '../access/authorize';
import { isAdminRole, type Permission } from '../access/permissions';
import { rateCurrencies } from '../money';

/** The input of each kind of change, as it is stored until a second person decides. */
export const approvalPayloads = {
  manual_topup: z.object({
    userId: z.string(),
    amountCents: z.int().positive(),
    note: z.string(),
    /** The ledger's key, so that the credit is posted once. */
    key: z.string(),
  }),
  order_refund: z.object({
    orderId: z.int(),
    /** What the refund credits; it is refused when the order has changed meanwhile. */
    amountCents: z.int().positive(),
    isRejection: z.boolean(),
    adminComments: z.string().optional(),
  }),
  exchange_rate: z.object({ currency: z.enum(rateCurrencies), rate: z.int().positive() }),
  approval_limit: z.object({ limitCents: z.int().nonnegative(), version: z.int().nonnegative() }),
  two_step_reset: z.object({ userId: z.string() }),
} satisfies Record<ApprovalKind, z.ZodType>;

export type ApprovalPayloads = { [K in ApprovalKind]: z.output<(typeof approvalPayloads)[K]> };

/** What requesting and approving each kind needs: a permission, or the role Admin. */
const approvalAuthority: Readonly<Record<ApprovalKind, Permission | 'Admin'>> = {
  manual_topup: 'ManageWallets',
  order_refund: 'ManageOrders',
  exchange_rate: 'ManagePayments',
  approval_limit: 'ManageWallets',
  two_step_reset: 'Admin',
};

/** Whether a person may request and decide changes of a kind. */
export function mayDecide(holder: Pick<Actor, 'role' | 'permissions'>, kind: ApprovalKind): boolean {
  const authority = approvalAuthority[kind];
  return authority === 'Admin' ? isAdminRole(holder.role) : hasPermission(holder, authority);
}

/** As a sentence names it: "the permission ManageWallets". */
export function authorityText(kind: ApprovalKind): string {
  const authority = approvalAuthority[kind];
  return authority === 'Admin' ? 'the role Admin' : `the permission ${authority}`;
}

/** A request that was not decided for this long cannot be approved any more: its reason may be gone. */
export const approvalDays = 7;

export const approvalIdInput = z.object({ id: z.string().trim().min(1).max(64) });
