import { z } from 'zod';
import type { bankLines, bankTransferRequests } from '@/db/schema/bank-transfers';
import { type LedgerAccount, suspenseAccount, type Transfer, walletAccount } from '@/lib/ledger/post-transfer';
import { walletCurrency } from '@/lib/money';

export type BankLine = typeof bankLines.$inferSelect;
export type TransferRequest = typeof bankTransferRequests.$inferSelect;

/** The name of the payment method on transactions and receipts. */
export const bankTransferMethod = 'Bank transfer';

const bankPayment = z.object({
  /** What the buyer paid, in minor units of `paidCurrency`. */
  paidMinor: z.int(),
  paidCurrency: z.string(),
  /** Millionths of a USD per unit of `paidCurrency`; null if it is USD. */
  usdMicrosPerUnit: z.int().nullable(),
  /** The booking day, as YYYY-MM-DD. */
  bookedOn: z.string(),
});
export type BankPayment = z.output<typeof bankPayment>;

/** Reads what was paid for a credit, for its receipt. @param meta of a transfer @returns null for no bank transfer */
export const readBankPayment = (meta: unknown): BankPayment | null => bankPayment.safeParse(meta).data ?? null;

/** What buyers transferred to the operator's bank accounts, by currency. */
const bankAccount: LedgerAccount = { kind: 'bank', owner: 'transfers' };
/** The two currencies of transfers that were not in USD offset each other here. */
const exchangeAccount: LedgerAccount = { kind: 'exchange', owner: '' };

const getKey = ({ id }: Pick<BankLine, 'id'>, part = '') => `bank:${id}${part}`;

/** Posts a credit of the bank as money that is not credited to a wallet. */
export const arrivalPosting = (line: Pick<BankLine, 'id' | 'amountMinor' | 'currency' | 'uploadedBy'>): Transfer => ({
  key: getKey(line),
  kind: 'suspense',
  from: bankAccount,
  to: suspenseAccount,
  amountCents: line.amountMinor,
  currency: line.currency,
  actorId: line.uploadedBy,
  method: bankTransferMethod,
  note: 'Arrived at the bank',
  meta: { bankLine: line.id },
});

export type LineCredit = {
  userId: string;
  /** In USD cents. */
  amountCents: number;
  /** Millionths of a USD per unit of the line's currency; null for USD. */
  rateMicros: number | null;
  actorId: string;
  approval: { id: string; approvedBy: string } | null;
};

/** Posts the credit of a line to a wallet; money in another currency is exchanged in suspense. */
export function creditPostings(line: BankLine, credit: LineCredit): Transfer[] {
  const { userId, amountCents, rateMicros, actorId, approval } = credit;
  const key = (part: string) => getKey(line, `:${part}:${line.credits + 1}`);
  const paid: BankPayment = {
    paidMinor: line.amountMinor,
    paidCurrency: line.currency,
    usdMicrosPerUnit: rateMicros,
    bookedOn: line.bookedOn,
  };
  const meta = {
    bankLine: line.id,
    ...paid,
    ...(approval && { approvalId: approval.id, approvedBy: approval.approvedBy }),
  };
  const common = { actorId, method: bankTransferMethod, meta };
  const exchange = { ...common, kind: 'exchange', note: 'Exchanged at the rate of the booking day' } as const;
  const exchanges: Transfer[] =
    line.currency === walletCurrency
      ? []
      : [
          {
            ...exchange,
            key: key('sold'),
            from: suspenseAccount,
            to: exchangeAccount,
            amountCents: line.amountMinor,
            currency: line.currency,
          },
          {
            ...exchange,
            key: key('bought'),
            from: exchangeAccount,
            to: suspenseAccount,
            amountCents,
            currency: walletCurrency,
          },
        ];
  return [
    ...exchanges,
    {
      ...common,
      key: key('credit'),
      kind: 'topup',
      from: suspenseAccount,
      to: walletAccount(userId),
      amountCents,
      currency: walletCurrency,
      note: 'Wallet top-up by bank transfer',
    },
  ];
}

/** Returns the keys of the transfers of the last credit; the exchanges exist only for another currency than USD. */
export const creditKeys = (line: Pick<BankLine, 'id' | 'credits'>) => ({
  credit: getKey(line, `:credit:${line.credits}`),
  bought: getKey(line, `:bought:${line.credits}`),
  sold: getKey(line, `:sold:${line.credits}`),
});

/** Returns the key of the transfer that takes the last credit back from its wallet. */
export const takenKey = (line: Pick<BankLine, 'id' | 'credits'>): string => getKey(line, `:taken:${line.credits}`);

/** Posts that a line left the bank again, or is no money of buyers. @param arrivalId the transfer of `arrivalPosting` */
export const returnPosting = (line: BankLine, arrivalId: string, actorId: string, note: string): Transfer => ({
  ...arrivalPosting(line),
  key: getKey(line, ':returned'),
  kind: 'reversal',
  from: suspenseAccount,
  to: bankAccount,
  actorId,
  note,
  reversesId: arrivalId,
});

/** Returns the key of a line's arrival. */
export const arrivalKey = (line: Pick<BankLine, 'id'>): string => getKey(line);

/** Posts the return of the exchanges of a credit that an admin deleted. */
export const exchangeReturns = (
  line: BankLine,
  exchanges: readonly { id: string; key: string; amountCents: number; currency: string }[],
  actorId: string,
): Transfer[] =>
  exchanges.map(({ id, key, amountCents, currency }) => {
    const isSold = currency !== walletCurrency;
    return {
      key: `reversal:${id}`,
      kind: 'reversal',
      from: isSold ? exchangeAccount : suspenseAccount,
      to: isSold ? suspenseAccount : exchangeAccount,
      ...{ amountCents, currency, actorId, method: bankTransferMethod, meta: { bankLine: line.id } },
      note: `Exchange undone: ${key}`,
      reversesId: id,
    };
  });
