import type { z } from 'zod';
import { walletCurrency } from '@/lib/money';
import type { PayoutBatchRow } from './batches';
import type { Payout } from './postings';
import type { adminPayoutResponse, PayoutRisk, payoutBatchResponse, payoutResponse } from './schemas';

export type PayoutRow = Payout & { lastFour: string };
export type AdminPayoutRow = PayoutRow & {
  sellerName: string;
  sellerEmail: string;
  methodUsableAt: Date;
  firstApproverEmail: string | null;
  approverEmail: string | null;
  isAtProvider: boolean;
  risks: PayoutRisk[];
};

export type PayoutView = z.output<typeof payoutResponse>;
export type PayoutBatchView = z.output<typeof payoutBatchResponse>;
export type AdminPayoutView = z.output<typeof adminPayoutResponse>;

/** Returns a payout as its seller sees it. */
export const payoutView = (row: PayoutRow): PayoutView => ({
  id: row.id,
  state: row.state,
  amountCents: row.amountCents,
  feeCents: row.feeCents,
  currency: walletCurrency,
  methodKind: row.methodKind,
  lastFour: row.lastFour,
  isScheduled: row.isScheduled,
  reference: row.reference,
  reason: row.reason,
  createdAt: row.createdAt.toISOString(),
  approvedAt: row.approvedAt?.toISOString() ?? null,
  sentAt: row.sentAt?.toISOString() ?? null,
  paidAt: row.paidAt?.toISOString() ?? null,
  endedAt: row.endedAt?.toISOString() ?? null,
  version: row.version,
});

/** Returns a payout as staff see it. */
export const adminPayoutView = (row: AdminPayoutRow): AdminPayoutView => ({
  ...payoutView(row),
  sellerId: row.sellerId,
  sellerName: row.sellerName,
  sellerEmail: row.sellerEmail,
  methodUsableAt: row.methodUsableAt.toISOString(),
  risks: row.risks,
  firstApprovedBy: row.firstApproverEmail,
  approvedBy: row.approverEmail,
  batchId: row.batchId,
  providerStatus: row.providerStatus,
  isAtProvider: row.isAtProvider,
});

/** Returns a batch as staff see it. */
export const payoutBatchView = (row: PayoutBatchRow): PayoutBatchView => ({
  id: row.id,
  kind: row.kind,
  payoutCount: row.payoutCount,
  totalCents: row.totalCents,
  openCount: row.openCount,
  paidCount: row.paidCount,
  executionDate: row.executionDate,
  reference: row.providerReference,
  nextActionAt: row.nextActionAt?.toISOString() ?? null,
  error: row.error,
  createdAt: row.createdAt.toISOString(),
  createdBy: row.creatorEmail,
  fileUrl: row.kind === 'paypal' ? null : `/dashboard/features/payouts/batches/${row.id}/file`,
});
