import type { AccountKind } from '@/db/schema/ledger';
import type { Permission } from '@/lib/access/permissions';
import { orderFigures } from '@/lib/dashboard/money-entries';
import { transferFigures } from '@/lib/dashboard/money-figures';
import { providerNames } from '@/lib/payments/providers/names';

export const moneyPath = '/dashboard/features/money';
export const entriesPath = `${moneyPath}/entries`;

type Text = {
  label: string;
  /** What the figure is, in one sentence. */
  definition: string;
  /** The screen on which the records behind the figure are worked on. */
  screen?: { label: string; href: string; access: Permission };
};

const features = '/dashboard/features';
const settlement = (provider: keyof typeof providerNames): Text => ({
  label: providerNames[provider],
  definition: `What buyers paid through ${providerNames[provider]}, less refunds, fees and payouts.`,
  screen: {
    label: 'Settlement',
    href: `${features}/payments/settlement?provider=${provider}`,
    access: 'ManagePayments',
  },
});
const payouts = { label: 'Payouts', href: `${features}/payouts`, access: 'ManagePayouts' } as const;
const wallets = { label: 'Wallet Manager', href: `${features}/wallet-manager`, access: 'ManageWallets' } as const;
const review = { label: 'In review', href: `${features}/wallet-manager?tab=review`, access: 'ManageWallets' } as const;
const orders = { label: 'Orders', href: `${features}/orders`, access: 'ManageOrders' } as const;

const texts: Readonly<Record<string, Text>> = {
  stripe: settlement('stripe'),
  paypal: settlement('paypal'),
  wechat: settlement('wechat'),
  bank: {
    label: 'Bank account',
    definition: 'What providers paid out, less payouts to sellers. Other payments of the account are not in the books.',
  },
  exchange: {
    label: 'In another currency',
    definition: 'What a provider holds in another currency than the one that was credited; negative where it is held.',
  },
  wallet: { label: 'Buyers’ wallets', definition: 'The balances of all wallets.', screen: wallets },
  refund_transit: {
    label: 'Refunds in progress',
    definition: 'What left wallets for refunds to the payment method that the provider has not made.',
    screen: { label: 'Refunds', href: `${features}/wallet-manager?tab=refunds`, access: 'ManageWallets' },
  },
  suspense: {
    label: 'Unmatched payments',
    definition: 'Payments that were received and are in no wallet.',
    screen: review,
  },
  pass_through: {
    label: 'Of other shops',
    definition: 'Money of other shops on the same provider account, paid out with yours.',
  },
  tax: {
    label: 'Tax',
    definition: 'The tax on orders, without what refunds returned, which you owe to the tax offices.',
    screen: orders,
  },
  reserved: {
    label: 'Reserved for orders',
    definition: 'What buyers paid for orders of sellers whose delivery is not approved.',
    screen: orders,
  },
  seller_pending: { label: 'Sellers, pending', definition: 'What sellers earned and cannot withdraw yet.' },
  seller_payable: { label: 'Sellers, available', definition: 'What sellers can withdraw.' },
  payout_transit: {
    label: 'Payouts due',
    definition: 'What sellers requested and has not been paid.',
    screen: payouts,
  },
  revenue: {
    label: 'Margin',
    definition:
      'What orders earned for the platform: orders that staff fulfill, and the margin of the others, less refunds.',
  },
  fees: { label: 'Fees', definition: 'Fees of payment providers, less the fees that sellers pay for payouts.' },
  adjustments: { label: 'Manual credits', definition: 'Credits by staff without a payment.' },
  receivable: {
    label: 'Owed by buyers',
    definition: 'Refunds and chargebacks of money that was already spent, which buyers have not paid back.',
    screen: review,
  },
  gmv: {
    label: 'GMV',
    definition: 'What buyers paid without tax for the orders placed in the period, before refunds.',
    screen: orders,
  },
  refunds: {
    label: 'Refunds',
    definition: 'What orders returned to wallets in the period without tax, less refunds that were charged again.',
    screen: orders,
  },
  earned: {
    label: 'Earned by sellers',
    definition: 'The shares of sellers of the deliveries approved in the period, less what they returned.',
  },
  late: {
    label: 'Late deliveries',
    definition: 'Deliveries of sellers that were due in the period and were not made by their deadline.',
    screen: orders,
  },
  lost: {
    label: 'Links lost',
    definition: 'Links that ended in the period because they were missing and not repaired in time.',
    screen: { label: 'Links', href: `${features}/link-checks`, access: 'ManageOrders' },
  },
};

/** The figures that have a list. */
export const listedFigures: readonly string[] = [...transferFigures, ...orderFigures];

/** Returns the texts of a figure. */
export function textsOf(figure: string): Text {
  const found = texts[figure];
  if (!found) throw new Error(`The figure ${figure} has no texts.`);
  return found;
}

/** Names the accounts of a kind. */
export const nameAccounts = (kind: AccountKind): string =>
  kind === 'clearing' ? 'Payment provider' : textsOf(kind).label;
