import { z } from 'zod';
import { sourceRefundStates } from '@/db/schema/source-refunds';
import { paymentProviders, providerModes } from '@/db/schema/topups';
import { topupIdField } from '@/lib/payments/top-ups/contract';
import { choiceParam, idCursorField, pageQuery, versionField } from '@/lib/platform/http/fields';
import type { SourceRefund } from './postings';

const amountText = 'Enter an amount above 0.';
const reasonText = (required: boolean) => {
  const text = z.string().trim().max(500, 'Use at most 500 characters.');
  return required ? text.min(1, 'Enter a reason.') : text.default('');
};

/** The body of POST /api/wallet/refund-requests. */
export const requestRefundBody = z.object({
  topupId: topupIdField,
  amountCents: z
    .int(amountText)
    .positive(amountText)
    .max(Number.MAX_SAFE_INTEGER)
    .describe('USD cents, at most what the payment still has and what the wallet holds.'),
  reason: reasonText(false).describe('The reason, which staff read.'),
});
export type RequestRefundInput = z.output<typeof requestRefundBody>;

/** The body of POST /api/admin/wallet/refunds. */
export const createRefundBody = requestRefundBody.extend({
  reason: reasonText(true).describe('The reason, for the audit log.'),
});

export const refundIdParams = z.object({ id: topupIdField });

/** The body of POST /api/admin/wallet/refunds/{id}/approve; it can be empty. */
export const approveRefundBody = z.object({
  version: versionField.optional().describe('The version the request is based on; a stale one is refused.'),
});

/** The body of POST /api/admin/wallet/refunds/{id}/decline. */
export const declineRefundBody = z.object({
  reason: reasonText(true).describe('The reason, which the buyer reads.'),
});

/** The query of GET /api/wallet/refund-requests. */
export const refundsQuery = pageQuery(25, 100).extend({ cursor: idCursorField });

/** The query of GET /api/admin/wallet/refunds. */
export const adminRefundsQuery = refundsQuery.extend({
  state: choiceParam(sourceRefundStates).optional(),
  q: z.string().trim().max(200).optional().describe('The email address or name of a buyer, or the id of a refund.'),
});

const time = z.iso.datetime();

/** A refund to the payment method, as its buyer sees it. */
export const sourceRefundResponse = z
  .object({
    id: z.string(),
    topupId: z.string(),
    provider: z.enum(paymentProviders),
    state: z.enum(sourceRefundStates),
    amountCents: z.int().describe('What leaves the wallet, in USD cents.'),
    currency: z.string(),
    chargeMinor: z
      .int()
      .nullable()
      .describe('What the provider refunds, in minor units of `chargeCurrency`; null before the approval.'),
    chargeCurrency: z.string(),
    isTest: z.boolean().describe('Whether no real money moves.'),
    reason: z.string(),
    answer: z.string().describe('Why it was declined or failed; empty otherwise.'),
    createdAt: time,
    endedAt: time.nullable(),
    version: z.int(),
  })
  .meta({ title: 'SourceRefund' });

/** The same for staff. */
export const adminSourceRefundResponse = sourceRefundResponse
  .extend({
    userId: z.string(),
    userName: z.string(),
    userEmail: z.string(),
    userStatus: z.string().describe('Suspended and deleted buyers are refunded like others.'),
    mode: z.enum(providerModes),
    isRequestedByBuyer: z.boolean(),
    requestedBy: z.string().nullable().describe('The email address.'),
    approvedBy: z.string().nullable(),
    secondApprovedBy: z.string().nullable().describe('The second person for an amount above the limit.'),
    isAwaitingApproval: z.boolean().describe('Whether an approval by a second person is pending.'),
    providerReference: z.string().nullable().describe('The id of the refund at the provider.'),
    error: z.string().describe('The error of the last attempt; empty without one.'),
    attempts: z.int(),
    nextActionAt: time.nullable(),
  })
  .meta({ title: 'AdminSourceRefund' });

/** The response of GET /api/admin/wallet/refunds. */
export const adminSourceRefundsResponse = z.object({
  refunds: z.array(adminSourceRefundResponse),
  total: z.int(),
  limit: z.int(),
  offset: z.int(),
});

/** The response to a refund that staff create or approve. */
export const startedRefundResponse = z.object({
  refund: adminSourceRefundResponse.nullable().describe('Null while a refund by staff waits for a second person.'),
  approvalId: z.string().nullable().describe('The request for the approval by a second person, if one is needed.'),
});

/** A top-up whose payment can be refunded. */
const refundableTopupResponse = z
  .object({
    topupId: z.string(),
    provider: z.enum(paymentProviders),
    amountCents: z.int(),
    currency: z.string(),
    paidAt: time.nullable(),
    refundableCents: z.int().describe('What the payment still has, at most what the wallet holds, in USD cents.'),
    refusal: z.string().nullable().describe('Why nothing can be refunded; null otherwise.'),
  })
  .meta({ title: 'RefundableTopup' });

export type SourceRefundView = z.output<typeof sourceRefundResponse>;
export type AdminSourceRefundView = z.output<typeof adminSourceRefundResponse>;
export type StartedRefundView = z.output<typeof startedRefundResponse>;
export type RefundableTopupView = z.output<typeof refundableTopupResponse>;

export type AdminSourceRefundRow = SourceRefund & {
  userName: string;
  userEmail: string;
  userStatus: string;
  isDeleted: boolean;
  requesterEmail: string | null;
  approverEmail: string | null;
  secondApproverEmail: string | null;
  isAwaitingApproval: boolean;
};

/** A refund of staff has the requester as the first approver, who is never a member of the buyer's account. */
const isRequestedByBuyer = ({ requestedBy, approvedBy }: SourceRefund): boolean => requestedBy !== approvedBy;

/** Returns a refund as its buyer sees it. */
export function sourceRefundView(row: SourceRefund): SourceRefundView {
  const { id, topupId, provider, state, amountCents, currency, chargeMinor, chargeCurrency, answer, version } = row;
  return {
    ...{ id, topupId, provider, state, amountCents, currency, chargeMinor, chargeCurrency, answer, version },
    isTest: row.mode !== 'live',
    // The reason of staff is for staff.
    reason: isRequestedByBuyer(row) ? row.reason : '',
    createdAt: row.createdAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
  };
}

/** Returns a refund as staff see it. */
export function adminSourceRefundView(row: AdminSourceRefundRow): AdminSourceRefundView {
  const {
    reason,
    accountId: userId,
    userName,
    userEmail,
    mode,
    isAwaitingApproval,
    providerReference,
    error,
    attempts,
  } = row;
  return {
    ...sourceRefundView(row),
    ...{ reason, userId, userName, userEmail, mode, isAwaitingApproval, providerReference, error, attempts },
    userStatus: row.isDeleted ? 'Deleted' : row.userStatus,
    isRequestedByBuyer: isRequestedByBuyer(row),
    requestedBy: row.requesterEmail,
    approvedBy: row.approverEmail,
    secondApprovedBy: row.secondApproverEmail,
    nextActionAt: row.nextActionAt?.toISOString() ?? null,
  };
}
