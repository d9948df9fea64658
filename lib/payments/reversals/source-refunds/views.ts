import type { z } from 'zod';
import type { SourceRefund } from './postings';
import type {
  adminSourceRefundResponse,
  refundableTopupResponse,
  sourceRefundResponse,
  startedRefundResponse,
} from './schemas';

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

/** Returns a refund as its buyer sees it. */
export const sourceRefundView = (row: SourceRefund): SourceRefundView => ({
  id: row.id,
  topupId: row.topupId,
  provider: row.provider,
  state: row.state,
  amountCents: row.amountCents,
  currency: row.currency,
  chargeMinor: row.chargeMinor,
  chargeCurrency: row.chargeCurrency,
  isTest: row.mode !== 'live',
  // The reason of staff is for staff.
  reason: row.requestedBy === row.userId ? row.reason : '',
  answer: row.answer,
  createdAt: row.createdAt.toISOString(),
  endedAt: row.endedAt?.toISOString() ?? null,
  version: row.version,
});

/** Returns a refund as staff see it. */
export const adminSourceRefundView = (row: AdminSourceRefundRow): AdminSourceRefundView => ({
  ...sourceRefundView(row),
  reason: row.reason,
  userId: row.userId,
  userName: row.userName,
  userEmail: row.userEmail,
  userStatus: row.isDeleted ? 'Deleted' : row.userStatus,
  mode: row.mode,
  isRequestedByBuyer: row.requestedBy === row.userId,
  requestedBy: row.requesterEmail,
  approvedBy: row.approverEmail,
  secondApprovedBy: row.secondApproverEmail,
  isAwaitingApproval: row.isAwaitingApproval,
  providerReference: row.providerReference,
  error: row.error,
  attempts: row.attempts,
  nextActionAt: row.nextActionAt?.toISOString() ?? null,
});
