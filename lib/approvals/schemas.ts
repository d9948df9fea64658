import { z } from 'zod';
import type { ApprovalKind } from '@/db/schema/approvals';
import { returnableStates } from '@/db/schema/payouts';
import { placementStates } from '@/db/schema/placements';
import { hasPermission, mayAccess } from '@/lib/access/authorize';
import { hasAllPermissions, type Permission, permissions, type Rights } from '@/lib/access/permissions';
import { rateCurrencies } from '@/lib/money';

/** The input of each kind of change, as stored until a second person decides. */
export const approvalPayloads = {
  manual_topup: z.object({
    userId: z.string(),
    amountCents: z.int().positive(),
    note: z.string(),
    /** The idempotency key of the ledger, so that the credit is posted once. */
    key: z.string(),
  }),
  order_refund: z.object({
    orderId: z.int(),
    /** The amount of the refund; the approval fails when the order has changed. */
    amountCents: z.int().positive(),
    isRejection: z.boolean(),
    /** The comment of the request; absent if it changes none. */
    adminComments: z.string().optional(),
    /** The reason that the buyer reads. */
    reason: z.string().optional(),
    /** The state of the placement; the approval fails when it has moved. Absent for an order without a placement. */
    placementState: z.enum(placementStates).optional(),
  }),
  dispute_decision: z.object({ disputeId: z.string(), buyerPercent: z.int().min(0).max(100), note: z.string() }),
  exchange_rate: z.object({ currency: z.enum(rateCurrencies), rate: z.int().positive() }),
  approval_limit: z.object({
    limitCents: z.int().nonnegative(),
    approvesStaffRights: z.boolean().default(false),
    version: z.int().nonnegative(),
  }),
  /** The rules are parsed by lib/payouts/rules.ts. */
  payout_rules: z.object({ rules: z.record(z.string(), z.unknown()), version: z.int().nonnegative() }),
  payout_return: z.object({
    payoutId: z.string(),
    /** The state of the payout; the approval fails when it has moved. */
    state: z.enum(returnableStates),
    /** The reason that the seller reads. */
    reason: z.string(),
  }),
  source_refund: z.object({
    topupId: z.string(),
    amountCents: z.int().positive(),
    reason: z.string(),
    /** The buyer's request; null for a refund that staff create. */
    refundId: z.string().nullable(),
    /** The Idempotency-Key of the member of staff who creates it. */
    key: z.string().nullable(),
  }),
  bank_transfer: z.object({
    lineId: z.string(),
    userId: z.string(),
    /** The request that it pays; null if staff found the buyer without one. */
    requestId: z.string().nullable(),
    /** The credit; the approval fails when it has changed with the rate. */
    amountCents: z.int().positive(),
    note: z.string(),
  }),
  two_step_reset: z.object({ userId: z.string() }),
  staff_rights: z.discriminatedUnion('change', [
    z.object({ change: z.literal('role'), userId: z.string(), role: z.string() }),
    z.object({ change: z.literal('permission'), role: z.string(), permission: z.enum(permissions) }),
    z.object({
      change: z.literal('features'),
      /** The feature role to update; null for a new one. */
      id: z.string().nullable(),
      name: z.string(),
      userId: z.string(),
      /** Parsed by lib/roles/feature-roles. */
      features: z.array(z.string()),
      version: z.int().optional(),
    }),
  ]),
} satisfies Record<ApprovalKind, z.ZodType>;

export type ApprovalPayloads = { [K in ApprovalKind]: z.output<(typeof approvalPayloads)[K]> };

/** The authority that approving each kind requires, and requesting most: a permission, or the role Admin. */
const approvalAuthority: Readonly<Record<ApprovalKind, Permission | 'Admin'>> = {
  manual_topup: 'ManageWallets',
  order_refund: 'ManageOrders',
  dispute_decision: 'ManageOrders',
  exchange_rate: 'ManagePayments',
  approval_limit: 'ManageWallets',
  payout_rules: 'ManagePayouts',
  payout_return: 'ManagePayouts',
  source_refund: 'ManageWallets',
  bank_transfer: 'ManageWallets',
  two_step_reset: 'Admin',
  staff_rights: 'Admin',
};

/** Checks whether a user may decide changes of a kind. */
export function mayDecide(holder: Rights, kind: ApprovalKind): boolean {
  const authority = approvalAuthority[kind];
  return authority === 'Admin' ? hasAllPermissions(holder) : hasPermission(holder, authority);
}

/** Checks whether a user may request, see and reject changes of a kind. */
export function mayRequest(holder: Rights, kind: ApprovalKind): boolean {
  return kind === 'staff_rights' ? mayAccess(holder, ['ManageUsers', 'ManageRoles']) : mayDecide(holder, kind);
}

/** Describes the required authority, e.g. "the permission ManageWallets". */
export function describeAuthority(kind: ApprovalKind): string {
  const authority = approvalAuthority[kind];
  return authority === 'Admin' ? 'the role Admin' : `the permission ${authority}`;
}

/** The validity of a request in days; an older one may be obsolete and cannot be approved. */
export const approvalDays = 7;

export const approvalIdInput = z.object({ id: z.string().trim().min(1).max(64) });
