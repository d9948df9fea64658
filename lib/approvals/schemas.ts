import { z } from 'zod';
import type { ApprovalKind } from '../../db/schema/approvals';
import type { Permission } from '../acl/permissions';
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
} satisfies Record<ApprovalKind, z.ZodType>;

export type ApprovalPayloads = { [K in ApprovalKind]: z.output<(typeof approvalPayloads)[K]> };

/** The permission that requesting and approving each kind needs. */
export const approvalPermission: Readonly<Record<ApprovalKind, Permission>> = {
  manual_topup: 'ManageWallets',
  order_refund: 'ManageOrders',
  exchange_rate: 'ManagePayments',
  approval_limit: 'ManageWallets',
};

/** A request that was not decided for this long cannot be approved any more: its reason may be gone. */
export const approvalDays = 7;

export const approvalIdInput = z.object({ id: z.string().trim().min(1).max(64) });
