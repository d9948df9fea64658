import type { AccountKind, TransferKind } from '@/db/schema/ledger';

type AccountRoute = readonly [from: AccountKind, to: AccountKind];

/** Routes of money that a provider reclaims: from its current account, or from the buyer's receivable. */
const reclaimRoutes: readonly AccountRoute[] = [
  ['wallet', 'clearing'],
  ['receivable', 'clearing'],
  ['suspense', 'clearing'],
];

/** Routes of payouts and returned payouts: of our money, and of other shops on the same provider account. */
const payoutRoutes: readonly AccountRoute[] = [
  ['bank', 'clearing'],
  ['clearing', 'bank'],
  ['bank', 'pass_through'],
  ['pass_through', 'bank'],
];

/**
 * The account kinds between which each kind of transfer may move money. A reversal mirrors the transfer it reverses.
 * The proof of the books checks every transfer against it (proof/route-checks.ts).
 */
export const allowedRoutes: Readonly<Record<Exclude<TransferKind, 'reversal'>, readonly AccountRoute[]>> = {
  topup: [
    ['clearing', 'wallet'],
    ['suspense', 'wallet'],
  ],
  order: [
    ['wallet', 'revenue'],
    ['wallet', 'reserved'],
  ],
  order_refund: [
    ['revenue', 'wallet'],
    ['reserved', 'wallet'],
  ],
  order_recharge: [['wallet', 'revenue']],
  // Back into `reserved` with a settlement, which returns one amount to the buyer.
  earning: [
    ['reserved', 'seller_pending'],
    ['seller_pending', 'reserved'],
  ],
  margin: [
    ['reserved', 'revenue'],
    ['revenue', 'reserved'],
  ],
  ripening: [['seller_pending', 'seller_payable']],
  // From `refund_transit` for a refund that we requested.
  provider_refund: [...reclaimRoutes, ['refund_transit', 'clearing']],
  dispute: reclaimRoutes,
  dispute_reversal: [
    ['clearing', 'wallet'],
    ['clearing', 'suspense'],
  ],
  // A bank transfer that the bank took back.
  bank_reversal: [
    ['wallet', 'suspense'],
    ['receivable', 'suspense'],
  ],
  manual_topup: [['adjustments', 'wallet']],
  // From the bank: a bank transfer, until its line is credited.
  suspense: [
    ['clearing', 'suspense'],
    ['bank', 'suspense'],
  ],
  receivable: [['wallet', 'receivable']],
  provider_fee: [
    ['fees', 'clearing'],
    ['clearing', 'fees'],
  ],
  payout: payoutRoutes,
  payout_failure: payoutRoutes,
  exchange: [
    ['exchange', 'clearing'],
    ['clearing', 'exchange'],
    // A bank transfer in another currency, when it is credited.
    ['suspense', 'exchange'],
    ['exchange', 'suspense'],
  ],
  seller_payout: [['seller_payable', 'payout_transit']],
  seller_payout_paid: [
    ['payout_transit', 'clearing'],
    ['payout_transit', 'bank'],
  ],
  seller_payout_fee: [['payout_transit', 'fees']],
  // From `payout_transit` if the payout was not paid, otherwise from where its parts went.
  seller_payout_return: [
    ['payout_transit', 'seller_payable'],
    ['clearing', 'seller_payable'],
    ['bank', 'seller_payable'],
    ['fees', 'seller_payable'],
  ],
  source_refund: [['wallet', 'refund_transit']],
  source_refund_return: [['refund_transit', 'wallet']],
  // With each charge of an order while tax is on, and with each refund of one. The account is that of the tax's country.
  tax: [['wallet', 'tax']],
  tax_refund: [['tax', 'wallet']],
};

const isSellerAccount = (kind: AccountKind) => kind === 'seller_pending' || kind === 'seller_payable';

/**
 * The kinds of transfers that move the balances of sellers. None of them moves a wallet, so a list of all wallets leaves
 * them out by their kind: it need not read the accounts of each transfer.
 */
export const sellerTransferKinds: readonly string[] = Object.entries(allowedRoutes)
  .filter(([, routes]) => routes.flat().some(isSellerAccount))
  .map(([kind]) => kind);
