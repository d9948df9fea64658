import { z } from 'zod';
import { bankCurrencies, bankLineReasons, bankLineStates } from '@/db/schema/bank-transfers';
import { choiceParam, idCursorField, pageQuery } from '@/lib/platform/http/fields';
import type { BankLine, TransferRequest } from './postings';
import { findReferences, formatReference } from './reference';

/**
 * The body of POST /api/wallet/topup/bank. `amount` is in major units of USD, a number or a string; `requireTopupAmount`
 * validates it, so that every invalid amount has the same error text.
 */
export const requestTransferBody = z.object({
  amount: z.union([z.number(), z.string().max(40)]).catch(''),
  currency: choiceParam(bankCurrencies)
    .optional()
    .describe('The currency of the transfer; by default that of the first account. `amount` is in USD for both.'),
});

const referenceField = z
  .string()
  .max(60)
  .transform((text, context) => {
    const [reference] = findReferences(text);
    if (reference !== undefined) return reference;
    context.addIssue({ code: 'custom', message: 'Enter a reference as on the pro forma, e.g. RF62 KRMT PWQX TB.' });
    return z.NEVER;
  });

export const referenceParams = z.object({ reference: z.string().max(60).describe('The reference of the request.') });

const time = z.iso.datetime();
/** The response of POST /api/wallet/topup/bank. */
export const transferRequestResponse = z
  .object({
    reference: z.string().describe('The text that the transfer has to contain: an ISO 11649 creditor reference.'),
    proForma: z.url().describe('The address of the pro forma as a PDF: what to transfer, where to and by when.'),
  })
  .meta({ title: 'BankTransferRequest' });

/** Returns the paths of a request in this app. */
export const transferPaths = (reference: string) => ({
  page: `/user/wallet/bank/${reference}`,
  proForma: `/api/wallet/topup/bank/${reference}.pdf`,
});

/** @param origin the origin of the caller's page */
export const transferRequestView = ({ reference }: TransferRequest, origin: string) => ({
  reference,
  proForma: `${origin}${transferPaths(reference).proForma}`,
});

/** The query of POST /api/admin/bank-transfers/upload. */
export const uploadQuery = z.object({
  account: z
    .string()
    .trim()
    .max(40)
    .optional()
    .describe('The IBAN or number of the account of a CSV file that does not name it.'),
});

/** The response of POST /api/admin/bank-transfers/upload: the number of new lines by their state, and of others. */
export const uploadResponse = z
  .object({
    credited: z.int().describe('Credited to wallets.'),
    partial: z.int().describe('Their requests are known, but they were not credited.'),
    unmatched: z.int().describe('Their buyers are not known.'),
    known: z.int().describe('Read from another file before.'),
    ignored: z.int().describe('Debits, and returned payments to sellers.'),
  })
  .meta({ title: 'BankStatementUpload' });
export type UploadResult = z.output<typeof uploadResponse>;

/** The query of GET /api/admin/bank-transfers. */
export const bankLinesQuery = pageQuery(25, 100).extend({
  state: choiceParam(bankLineStates).optional(),
  q: z
    .string()
    .trim()
    .max(200)
    .default('')
    .describe('A reference, or a part of the name of the payer, the text, or the email address of the buyer.'),
  cursor: idCursorField,
});

export const lineParams = z.object({
  id: z
    .string()
    .regex(/^[0-9a-z]{6,32}$/, 'Enter the id of a line.')
    .describe('The id of the line.'),
});

const note = z.string().trim().min(1, 'Enter a note.').max(500, 'Use at most 500 characters.');

/** The body of POST /api/admin/bank-transfers/{id}/credit. */
export const creditLineBody = z.object({
  userId: z
    .string()
    .trim()
    .min(1)
    .max(64)
    .optional()
    .describe('The buyer; by default the one of the request that the transfer names.'),
  accountId: z
    .string()
    .trim()
    .min(1)
    .max(64)
    .optional()
    .describe('The account of the buyer, such as that of a team, instead of `userId`.'),
  email: z.string().trim().max(320).optional().describe('The email address of the buyer, instead of `userId`.'),
  reference: referenceField.optional().describe('The request that the transfer pays, which decides the buyer.'),
  note: note.describe('Why it is credited, for the audit log.'),
});
export type CreditLineInput = z.output<typeof creditLineBody>;
const { accountId, email, reference } = creditLineBody.shape;

/** The body of POST /api/admin/bank-transfers/{id}/return. */
export const returnLineBody = z.object({
  outcome: choiceParam(['sent_back', 'taken_back', 'not_a_topup']).describe(
    '`sent_back`: the money returned to the payer. `taken_back`, of a reversal: the transfer is closed, and its credit leaves the wallet; what the wallet no longer holds is owed. `not_a_topup`: it is no payment of a buyer.',
  ),
  email: email.describe('The email address of the buyer, for `taken_back`; by default of the one that the line names.'),
  accountId: accountId.describe('The account of the buyer, instead of `email`.'),
  reference: reference.describe('The request that the transfer paid, instead of `email`.'),
  note: note.describe('How it was sent back, or what it is.'),
});

/** The response of both. */
export const decidedLineResponse = z.object({
  status: z.enum(['credited', 'waiting', 'returned']).describe('`waiting`: credited once a second person approves it.'),
});

/** A line of a bank statement, for staff. */
const bankLineResponse = z
  .object({
    id: z.string(),
    state: z.enum(bankLineStates),
    reason: z.enum(bankLineReasons).nullable(),
    account: z.string().describe('The IBAN or number of the operator’s account.'),
    bookedOn: z.iso.date(),
    amountMinor: z.int().describe('In minor units of `currency`.'),
    currency: z.string(),
    isReversal: z.boolean().describe('Whether the bank took the amount back.'),
    remittance: z.string(),
    payerName: z.string(),
    bankReference: z.string().nullable(),
    reference: z.string().nullable().describe('The reference of the request that it names.'),
    askedMinor: z.int().nullable().describe('What the request asked for, in minor units of `askedCurrency`.'),
    askedCurrency: z.enum(bankCurrencies).nullable(),
    userId: z.string().nullable(),
    userName: z.string().nullable(),
    userEmail: z.string().nullable(),
    creditedCents: z.int().nullable().describe('In USD cents.'),
    isAwaitingApproval: z.boolean(),
    note: z.string(),
    resolvedBy: z.string().nullable().describe('The email address of who decided.'),
    resolvedAt: time.nullable(),
    createdAt: time,
  })
  .meta({ title: 'BankLine' });
export type BankLineView = z.output<typeof bankLineResponse>;

export const bankLinesResponse = z.object({
  lines: z.array(bankLineResponse),
  total: z.int(),
  limit: z.int(),
  offset: z.int(),
});

type BankLineRow = BankLine & {
  request: Pick<TransferRequest, 'reference' | 'payMinor' | 'currency'> | null;
  user: { name: string; email: string } | null;
  resolverEmail: string | null;
  isAwaitingApproval: boolean;
};

export function bankLineView({ request, user, resolverEmail, ...line }: BankLineRow): BankLineView {
  const { id, state, reason, account, bookedOn, amountMinor, currency, isReversal, remittance, payerName } = line;
  const {
    bankReference,
    accountId: userId,
    creditedCents,
    isAwaitingApproval,
    note: text,
    resolvedAt,
    createdAt,
  } = line;
  return {
    ...{
      id,
      state,
      reason,
      account,
      bookedOn,
      amountMinor,
      currency,
      isReversal,
      remittance,
      payerName,
      bankReference,
    },
    reference: request && formatReference(request.reference),
    askedMinor: request?.payMinor ?? null,
    askedCurrency: request?.currency ?? null,
    userId,
    userName: user?.name ?? null,
    userEmail: user?.email ?? null,
    ...{ creditedCents, isAwaitingApproval, note: text },
    resolvedBy: resolverEmail,
    resolvedAt: resolvedAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  };
}
