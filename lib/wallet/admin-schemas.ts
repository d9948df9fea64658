import { z } from 'zod';
import { parseMoney } from '@/lib/money';
import { choiceParam, currencyField, idCursorField, integerParam, pageQuery } from '@/lib/platform/http/fields';

/** Maximum of one manual top-up in USD cents, which limits the damage of a typing error. */
const manualTopupMaxCents = 10_000_000;

const amountText = 'Enter an amount above 0.';

/** Parses major units, a number or a string, into integer cents. */
const amountField = z
  .union([z.number(), z.string().max(40)], { error: amountText })
  .transform((input) => parseMoney(input))
  .pipe(
    z
      .number({ error: amountText })
      .int(amountText)
      .positive(amountText)
      .max(manualTopupMaxCents, 'Enter at most $100,000.00.'),
  );

const ownerField = z.string({ error: 'Choose a user.' }).trim().min(1, 'Choose a user.').max(64);

/** POST /api/admin/wallet/topup. */
export const manualTopupBody = z
  .object({
    userId: ownerField.optional().describe('The user whose own account is credited.'),
    accountId: ownerField.optional().describe('The account to credit, such as that of a team, instead of `userId`.'),
    amount: amountField,
    currency: currencyField,
    note: z.string().trim().max(500, 'Use at most 500 characters.').default(''),
  })
  .superRefine(({ userId, accountId }, context) => {
    if (userId === undefined && accountId === undefined)
      context.addIssue({ code: 'custom', path: ['userId'], message: 'Choose a user.' });
    if (userId !== undefined && accountId !== undefined)
      context.addIssue({ code: 'custom', path: ['accountId'], message: 'Send either `userId` or `accountId`.' });
  })
  // The wallet's owner is an account. The personal one of a user has the user's id.
  .transform(({ amount, userId = '', accountId = userId, ...rest }) => ({
    ...rest,
    userId: accountId,
    amountCents: amount,
  }));
export type ManualTopupInput = z.output<typeof manualTopupBody>;

const maxTransactions = 5000;
const transactionsPage = pageQuery(1000, maxTransactions);

/**
 * GET /api/admin/wallet/transactions. With `all` and no limit the response has every transaction, because API clients
 * compute balances from them; `limit` is null then.
 */
export const adminTransactionsQuery = transactionsPage
  .extend({
    all: choiceParam(['1', 'true', '0', 'false'])
      .optional()
      .describe('`1` or `true` returns every transaction if there is no `limit`.'),
    limit: integerParam(1, maxTransactions).optional(),
    q: z.string().trim().max(200).default(''),
    userId: z.string().trim().max(64).optional(),
    cursor: idCursorField,
  })
  .transform(({ all, limit, ...rest }) => ({
    ...rest,
    limit: limit ?? (all === '1' || all === 'true' ? null : transactionsPage.shape.limit.parse(undefined)),
  }));
export type AdminTransactionsQuery = z.output<typeof adminTransactionsQuery>;

export const transactionIdParams = z.object({ id: z.string().trim().min(1).max(64) });
export const walletUserParams = z.object({
  userId: z.string().trim().min(1).max(64).describe('The account of the wallet: a user’s id, or that of a team.'),
});

/** The query of the export of Wallet Manager: the tab of the screen, and its search. */
export const walletExportQuery = z.object({
  tab: choiceParam(['users', 'transactions']).default('users').describe('The table to export.'),
  q: z.string().trim().max(200).default(''),
});
