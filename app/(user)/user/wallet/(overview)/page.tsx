import { Wallet } from 'lucide-react';
import type { Metadata } from 'next';
import { backParam } from '@/components/orders/way-back';
import { DataTable } from '@/components/table/data-table';
import { NoMatch } from '@/components/table/no-match';
import { readPageParams } from '@/components/table/page-params';
import { SearchInput } from '@/components/table/search-input';
import { Toolbar } from '@/components/table/toolbar';
import { oneParam, type SearchParams, withParams } from '@/components/table/url';
import { EmptyState } from '@/components/ui/empty-state';
import { PageHeader } from '@/components/ui/page-header';
import { requirePage } from '@/lib/auth/page-guard';
import { getReturnPath } from '@/lib/auth/return-path';
import { readBuyerFrame } from '@/lib/dashboard/buyer';
import { getOwedCents } from '@/lib/ledger/balance';
import { parseMoney, toDecimalString } from '@/lib/money';
import { listOfferedProviders } from '@/lib/payments/config/offered-providers';
import { listWalletTransactions } from '@/lib/wallet/queries';
import { AddFunds } from '../_components/add-funds';
import { BalanceCard } from '../_components/balance-card';
import { TopUpReturn } from '../_components/top-up-return';
import { TransactionCard } from '../_components/transaction-card';
import { transactionColumns } from '../_components/transaction-columns';

export const metadata: Metadata = { title: 'Wallet' };

const pathname = '/user/wallet';
const sizes = [25, 50, 100];
const defaultRows = 25;

export default async function WalletPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await requirePage('user', 'session');
  const params = await searchParams;
  const page = readPageParams(params, sizes, defaultRows);
  // Where an order waits for its money. Nothing but a page of the customer area is believed.
  const back = getReturnPath(oneParam(params, backParam), '', ['/user']);
  const q = oneParam(params, 'q').trim().slice(0, 200);
  const [{ balanceCents }, owedCents, { rows, total }, providers] = await Promise.all([
    readBuyerFrame(actor),
    getOwedCents(actor.userId),
    listWalletTransactions(actor.userId, { q, limit: page.limit, offset: page.offset }),
    listOfferedProviders(actor),
  ]);
  return (
    <>
      <PageHeader title="Wallet" description="Prepaid money for your orders: what came in, and what it paid for." />
      <TopUpReturn back={back} />
      <BalanceCard balanceCents={balanceCents} owedCents={owedCents}>
        <AddFunds providers={providers} asked={askedAmount(params)} back={back} />
      </BalanceCard>
      <Toolbar
        actions={<p className="text-muted text-sm tabular-nums">Transactions: {total.toLocaleString('en-US')}</p>}
      >
        <SearchInput
          placeholder="Search transactions (id, note, method, amount)…"
          label="Search transactions"
          className="sm:w-[27rem]"
        />
      </Toolbar>
      <DataTable
        caption="Transactions"
        columns={transactionColumns}
        rows={rows}
        rowKey={(line) => line.id}
        card={(line) => <TransactionCard line={line} />}
        wide
        pathname={pathname}
        searchParams={params}
        empty={
          q === '' ? (
            <NoTransactions />
          ) : (
            <NoMatch title="No transaction matches" clearHref={withParams(pathname, params, { q: null })}>
              Try a part of the id, the note, the method, an amount or a date.
            </NoMatch>
          )
        }
        paging={{ page, total, sizes, defaultRows }}
      />
    </>
  );
}

/**
 * ?topup=12.34 opens the dialog with that amount: an order that cost more than the wallet holds leads here. Back from a
 * payment the same name carries the top-up's id.
 */
function askedAmount(params: SearchParams): string | null {
  if (oneParam(params, 'success') || oneParam(params, 'cancelled')) return null;
  const cents = parseMoney(oneParam(params, 'topup'));
  return cents !== null && cents > 0 ? toDecimalString(cents) : null;
}

function NoTransactions() {
  return <EmptyState icon={<Wallet />} title="No transactions yet. Add funds to see them here." />;
}
