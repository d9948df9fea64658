import { Plus } from 'lucide-react';
import type { Metadata } from 'next';
import { SearchInput } from '@/components/table/search-input';
import { Toolbar } from '@/components/table/toolbar';
import { oneParam, type SearchParams, withParams } from '@/components/table/url';
import { ButtonLink } from '@/components/ui/button-link';
import { PageHeader } from '@/components/ui/page-header';
import { Tabs } from '@/components/ui/tabs';
import { requirePage } from '@/lib/auth/page-guard';
import { listReceivables } from '@/lib/ledger/receivables';
import { listWithheld } from '@/lib/payments/reversals/withheld-returns';
import { listSuspendedPayments } from '@/lib/payments/top-ups/suspended-payments';
import { countUsers } from '@/lib/users/queries';
import { countTransactions, getTotalWalletBalance } from '@/lib/wallet/admin-queries';
import { BooksTab } from './_components/books-tab';
import { Figures } from './_components/figures';
import { ReviewTab } from './_components/review-tab';
import { type ManagerTab, managerTabs, readTab } from './_components/tabs';
import { TopUpDialog } from './_components/top-up-dialog';
import { TransactionsTab } from './_components/transactions-tab';
import { UsersTab } from './_components/users-tab';

export const metadata: Metadata = { title: 'Wallet Manager' };

const pathname = '/dashboard/features/wallet-manager';
const placeholders: Partial<Record<ManagerTab, string>> = {
  users: 'Search name, e-mail, role…',
  transactions: 'Search user, id, note, method, amount…',
};

export default async function WalletManagerPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  await requirePage('admin', 'ManageWallets');
  const params = await searchParams;
  const tab = readTab(oneParam(params, 'tab'));
  const q = oneParam(params, 'q').trim().slice(0, 200);
  const [users, transactions, walletsCents, apart, withheld, owed] = await Promise.all([
    countUsers(),
    countTransactions(),
    getTotalWalletBalance(),
    listSuspendedPayments(),
    listWithheld(),
    listReceivables(),
  ]);
  const waiting = apart.length + withheld.length + owed.length;
  const counts: Record<ManagerTab, number | undefined> = {
    users,
    transactions,
    review: waiting,
    books: undefined,
  };
  const placeholder = placeholders[tab];
  const names: ManagerTab[] = ['users', 'transactions', 'review', 'books'];

  return (
    <>
      <PageHeader
        title="Wallet Manager"
        description="What every wallet holds, what moved, and whether the books add up."
        actions={
          <ButtonLink
            href={withParams(pathname, params, { topup: 'new' })}
            scroll={false}
            variant="primary"
            icon={<Plus className="size-4" />}
          >
            Manual Top-Up
          </ButtonLink>
        }
      />
      <Figures users={users} transactions={transactions} walletsCents={walletsCents} waiting={waiting} />
      <div className="mt-6 mb-4">
        <Tabs
          label="Parts of the wallet manager"
          tabs={names.map((name) => ({
            // The search goes along between the two lists; what sorts or pages one of them does not.
            href: withParams(pathname, {}, { tab: name === 'users' ? null : name, q: placeholders[name] ? q : null }),
            label: managerTabs[name],
            current: name === tab,
            count: counts[name],
          }))}
        />
      </div>
      {placeholder ? (
        <Toolbar>
          <SearchInput placeholder={placeholder} label={`Search ${tab}`} className="sm:w-80" />
        </Toolbar>
      ) : null}
      {tab === 'users' ? <UsersTab q={q} pathname={pathname} searchParams={params} /> : null}
      {tab === 'transactions' ? <TransactionsTab q={q} pathname={pathname} searchParams={params} /> : null}
      {tab === 'review' ? <ReviewTab pathname={pathname} searchParams={params} /> : null}
      {tab === 'books' ? <BooksTab /> : null}
      <TopUpDialog
        asked={oneParam(params, 'topup').slice(0, 64)}
        closeHref={withParams(pathname, params, { topup: null })}
      />
    </>
  );
}
