import { z } from 'zod';
import { payoutBatchKinds, payoutMethodKinds, payoutStates } from '@/db/schema/payouts';
import { walletCurrency } from '@/lib/money';
import { choiceParam, idCursorField, lineField, pageQuery, proseField, versionField } from '@/lib/platform/http/fields';
import type { PayoutBatchRow } from './batches';
import type { Payout } from './postings';

const currentVersion = versionField.describe('The version the request is based on; a stale one is refused.');

/** The body of POST /api/seller/payouts. */
export const requestPayoutBody = z.object({
  amountCents: z
    .int('Enter an amount above 0.')
    .positive('Enter an amount above 0.')
    .max(Number.MAX_SAFE_INTEGER)
    .optional()
    .describe('USD cents, including the fee; without it, all that is available.'),
});

export const payoutIdParams = z.object({ id: z.string().trim().min(1).max(64) });

/** The body of POST /api/admin/payouts/{id}/approve; it can be empty. */
export const approvePayoutBody = z.object({ version: currentVersion.optional() });

/** Payouts that are approved or exported together. */
export const payoutIdsInput = z.object({
  ids: z.array(payoutIdParams.shape.id).min(1, 'Select at least one payout.').max(500, 'Select at most 500 payouts.'),
});

const bankFileFormats = ['pain.001', 'csv'] as const;
export type BankFileFormat = (typeof bankFileFormats)[number];

/** The body of POST /api/admin/payouts/export. */
export const exportPayoutsBody = payoutIdsInput.extend({
  format: z.enum(bankFileFormats, 'Choose pain.001 or csv.'),
});
export type ExportPayoutsInput = z.output<typeof exportPayoutsBody>;

export const payoutBatchResponse = z
  .object({
    id: z.string(),
    kind: z.enum(payoutBatchKinds),
    payoutCount: z.int(),
    totalCents: z.int().describe('What sellers receive, in USD cents.'),
    openCount: z.int().describe('Payouts that are neither paid nor ended.'),
    paidCount: z.int(),
    executionDate: z.string().describe('YYYY-MM-DD; empty for a batch of PayPal.'),
    reference: z.string().nullable().describe('PayPal’s id of the batch; null until PayPal accepted it.'),
    nextActionAt: z.iso
      .datetime()
      .nullable()
      .describe('When it is sent or read next; null for a bank file, and when nothing is left to do.'),
    error: z.string().describe('The error of the last attempt to send it; empty without one.'),
    createdAt: z.iso.datetime(),
    createdBy: z.string().nullable().describe('The email address; null for the job.'),
    fileUrl: z.string().nullable().describe('The path of the bank file; null for a batch of PayPal.'),
  })
  .meta({ title: 'PayoutBatch' });

/** The result of POST /api/admin/payouts/statement. */
export const statementResponse = z.object({
  paid: z.int().describe('Payouts that were marked as paid.'),
  returned: z.int().describe('Payouts that were marked as failed or returned.'),
  waiting: z.int().describe('Returns that wait for the approval of a second person.'),
  known: z.int().describe('Rows of payouts that were recorded before.'),
  skipped: z.int().describe('Booked payments that cannot belong to a payout.'),
  refused: z.array(z.object({ reference: z.string(), message: z.string() })),
});
export type StatementResult = z.output<typeof statementResponse>;

/** The body of POST /api/admin/payouts/{id}/paid. */
export const markPaidBody = z.object({
  reference: lineField(200).default(''),
  version: currentVersion,
});

/** The body of POST /api/admin/payouts/{id}/failed and of POST /api/admin/payouts/{id}/return. */
export const payoutReasonBody = z.object({
  version: currentVersion,
  reason: proseField('Enter a reason.', 500).describe('The reason, which the seller reads.'),
});

/** The query of GET /api/seller/payouts. */
export const sellerPayoutsQuery = pageQuery(25, 100).extend({ cursor: idCursorField });

/** The query of GET /api/admin/payouts. Unknown filters are ignored. */
export const adminPayoutsQuery = sellerPayoutsQuery.extend({
  state: choiceParam(payoutStates).optional(),
  q: z.string().trim().max(200).optional().describe('The email address or name of a seller, or the id of a payout.'),
});

const time = z.iso.datetime();

/** A payout as its seller sees it. */
export const payoutResponse = z
  .object({
    id: z.string(),
    state: z.enum(payoutStates),
    amountCents: z.int().describe('USD cents that left the balance, including the fee.'),
    feeCents: z.int(),
    currency: z.string(),
    methodKind: z.enum(payoutMethodKinds),
    lastFour: z.string().describe('The last four characters of the account; empty for an agreement.'),
    isScheduled: z.boolean(),
    reference: z.string(),
    reason: z.string(),
    createdAt: time,
    approvedAt: time.nullable(),
    sentAt: time.nullable(),
    paidAt: time.nullable(),
    endedAt: time.nullable(),
    version: z.int(),
  })
  .meta({ title: 'Payout' });

const payoutRisks = [
  'method_replaced',
  'seller_suspended',
  'new_method',
  'first_payout',
  'more_than_usual',
  'open_dispute',
] as const;
export type PayoutRisk = (typeof payoutRisks)[number];

/** A payout in the staff's list. */
export const adminPayoutResponse = payoutResponse
  .extend({
    sellerId: z.string(),
    sellerName: z.string(),
    sellerEmail: z.string(),
    methodUsableAt: time.describe('Before this time the payout cannot be approved.'),
    risks: z.array(z.enum(payoutRisks)).describe('Reasons to look at the payout before its approval.'),
    firstApprovedBy: z
      .string()
      .nullable()
      .describe('The email address of the first of two persons; null when that approval no longer counts.'),
    approvedBy: z.string().nullable(),
    batchId: z.string().nullable(),
    providerStatus: z.string().describe('PayPal’s state of the payout, such as UNCLAIMED; empty without one.'),
    isAtProvider: z.boolean().describe('PayPal reports what becomes of it, so it cannot be marked.'),
    isReturnPending: z.boolean().describe('Its return waits for the approval of a second person.'),
  })
  .meta({ title: 'AdminPayout' });

/** The response of GET /api/admin/payouts. */
export const adminPayoutsResponse = z.object({
  payouts: z.array(adminPayoutResponse),
  total: z.int(),
  limit: z.int(),
  offset: z.int(),
});

export type PayoutRow = Payout & { lastFour: string };
export type AdminPayoutRow = PayoutRow & {
  sellerName: string;
  sellerEmail: string;
  methodUsableAt: Date;
  firstApproverEmail: string | null;
  approverEmail: string | null;
  isAtProvider: boolean;
  isReturnPending: boolean;
  risks: PayoutRisk[];
};

export type PayoutView = z.output<typeof payoutResponse>;
export type PayoutBatchView = z.output<typeof payoutBatchResponse>;
export type AdminPayoutView = z.output<typeof adminPayoutResponse>;

/** Returns a payout as its seller sees it. */
export function payoutView(row: PayoutRow): PayoutView {
  const { id, state, amountCents, feeCents, methodKind, lastFour, isScheduled, reference, reason, version } = row;
  return {
    ...{ id, state, amountCents, feeCents, methodKind, lastFour, isScheduled, reference, reason, version },
    currency: walletCurrency,
    createdAt: row.createdAt.toISOString(),
    approvedAt: row.approvedAt?.toISOString() ?? null,
    sentAt: row.sentAt?.toISOString() ?? null,
    paidAt: row.paidAt?.toISOString() ?? null,
    endedAt: row.endedAt?.toISOString() ?? null,
  };
}

/** Returns a payout as staff see it. */
export function adminPayoutView(row: AdminPayoutRow): AdminPayoutView {
  const { sellerId, sellerName, sellerEmail, risks, batchId, providerStatus, isAtProvider, isReturnPending } = row;
  return {
    ...payoutView(row),
    ...{ sellerId, sellerName, sellerEmail, risks, batchId, providerStatus, isAtProvider, isReturnPending },
    methodUsableAt: row.methodUsableAt.toISOString(),
    firstApprovedBy: row.firstApproverEmail,
    approvedBy: row.approverEmail,
  };
}

/** Returns a batch as staff see it. */
export function payoutBatchView(row: PayoutBatchRow): PayoutBatchView {
  const { id, kind, payoutCount, totalCents, openCount, paidCount, executionDate, error } = row;
  return {
    ...{ id, kind, payoutCount, totalCents, openCount, paidCount, executionDate, error },
    reference: row.providerReference,
    nextActionAt: row.nextActionAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    createdBy: row.creatorEmail,
    fileUrl: kind === 'paypal' ? null : `/dashboard/features/payouts/batches/${id}/file`,
  };
}
