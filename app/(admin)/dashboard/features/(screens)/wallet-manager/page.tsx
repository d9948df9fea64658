import { screenTexts } from '@/components/shell/screen-texts';
import { actionsColumn, type Column, UserName } from '@/components/table/data-table';
import { ExportLink } from '@/components/table/export-link';
import { RecordNotFound } from '@/components/table/record-dialog';
import { RecordList } from '@/components/table/record-list';
import {
  oneParam,
  readFilters,
  readIdPageParams,
  readSort,
  type SearchParams,
  withParams,
} from '@/components/table/url';
import { ButtonLink } from '@/components/ui/button';
import { formatCount, userLabel } from '@/components/ui/format';
import { Icon } from '@/components/ui/icon';
import { Money } from '@/components/ui/money';
import { PageHeader } from '@/components/ui/page-header';
import { StatTile, tileGrid } from '@/components/ui/stat-tile';
import { Tabs } from '@/components/ui/tabs';
import { buildViewQuery, type ListViews, SavedViewLinks } from '@/components/users/saved-views';
import { SavedViewsButton } from '@/components/users/saved-views-button';
import { UserStatusBadge } from '@/components/users/user-status-badge';
import { requirePage } from '@/lib/auth/page-guard';
import { listReceivables } from '@/lib/ledger/receivables';
import { formatUsd } from '@/lib/money';
import { countWaitingLines } from '@/lib/payments/bank-transfers/queries';
import { listWithheld } from '@/lib/payments/reversals/return-disputed';
import { countRequestedRefunds } from '@/lib/payments/reversals/source-refunds/queries';
import { listSuspendedPayments } from '@/lib/payments/top-ups/suspended-payments';
import type { WalletUserRow } from '@/lib/users/contract';
import { countPeople } from '@/lib/users/queries';
import { listSavedFilters } from '@/lib/users/saved-filters';
import { findWalletUser, listWalletUsers, walletUserSortKeys } from '@/lib/users/wallet-users';
import { countTransactions, getTotalWalletBalance } from '@/lib/wallet/queries';
import { BankTab } from './_components/bank-tab';
import { BooksTab } from './_components/books-tab';
import { ManualTopUp } from './_components/manual-top-up';
import { RefundsTab } from './_components/refunds-tab';
import { ReviewTab } from './_components/review-tab';
import { defaultWalletPageSize, TransactionTable, walletPageSizes } from './_components/transaction-table';
import { WalletUserActions } from './_components/wallet-operations';

/** The maximum number of users in the select. */
const mostUsers = 500;

const pathname = '/dashboard/features/wallet-manager';
const texts = screenTexts(pathname);

export const metadata = { title: texts.title };

/** The labels of the tabs by their URL parameter, in their order. The first one has no parameter. */
const tabs = {
  wallets: 'Wallets',
  refunds: 'Refunds',
  bank: 'Bank transfers',
  review: 'In review',
  books: 'Check the books',
};
type Tab = keyof typeof tabs;
const tabNames: readonly Tab[] = ['wallets', 'refunds', 'bank', 'review', 'books'];

export default async function WalletManagerPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await requirePage('admin', 'ManageWallets');
  const params = await searchParams;
  const tab = tabNames.find((name) => name === oneParam(params, 'tab')) ?? 'wallets';
  const [users, transactions, walletsCents, apart, withheld, owed, requested, transferred, saved] = await Promise.all([
    countPeople({}),
    countTransactions(),
    getTotalWalletBalance(),
    listSuspendedPayments(),
    listWithheld(),
    listReceivables(),
    countRequestedRefunds(),
    countWaitingLines(),
    listSavedFilters(actor.userId, pathname),
  ]);
  const views = { pathname, saved, query: buildViewQuery(params, ['q']) };
  const waiting = apart.length + withheld.length + owed.length;
  const counts: Partial<Record<Tab, number | string>> = {
    refunds: formatCount(requested),
    bank: transferred,
    review: waiting,
  };

  return (
    <>
      <PageHeader
        {...texts}
        actions={
          <ButtonLink
            href={withParams(pathname, params, { topup: 'new' })}
            scroll={false}
            variant="primary"
            icon={<Icon name="plus" />}
          >
            Manual Top-Up
          </ButtonLink>
        }
      />
      <div className={tileGrid}>
        <StatTile label="Users" value={formatCount(users)} icon="users-round" />
        <StatTile label="Transactions" value={formatCount(transactions)} icon="arrow-left-right" />
        <StatTile label="In all wallets" value={formatUsd(walletsCents)} icon="wallet-cards" />
        <StatTile label="Needs review" value={waiting.toLocaleString('en-US')} icon="scale" />
      </div>
      <div className="mt-6 mb-4">
        <Tabs
          label="Wallet manager sections"
          tabs={tabNames.map((name) => ({
            href: withParams(pathname, {}, { tab: name === 'wallets' ? null : name }),
            label: tabs[name],
            current: name === tab,
            count: counts[name],
          }))}
        />
      </div>
      {tab === 'wallets' ? <WalletsTab searchParams={params} views={views} /> : null}
      {tab === 'refunds' ? <RefundsTab pathname={pathname} searchParams={params} /> : null}
      {tab === 'bank' ? <BankTab pathname={pathname} searchParams={params} /> : null}
      {tab === 'review' ? <ReviewTab pathname={pathname} searchParams={params} /> : null}
      {tab === 'books' ? <BooksTab /> : null}
      <TopUpDialog
        userParam={oneParam(params, 'topup').slice(0, 64)}
        closeHref={withParams(pathname, params, { topup: null })}
      />
    </>
  );
}

/**
 * Lists users and transactions under one search. The paging of the URL is that of the transactions with
 * `tab=transactions`, otherwise that of the users; the other table shows its first page.
 */
function WalletsTab({ searchParams, views }: { searchParams: SearchParams; views: ListViews }) {
  const ofBoth = { rows: searchParams.rows };
  const pagesTransactions = oneParam(searchParams, 'tab') === 'transactions';
  return (
    <>
      <UserTable
        searchParams={{ ...searchParams, tab: undefined }}
        pageParams={pagesTransactions ? ofBoth : searchParams}
        views={views}
      />
      <TransactionTable
        pathname={pathname}
        searchParams={{ ...searchParams, tab: 'transactions' }}
        pageParams={pagesTransactions ? searchParams : ofBoth}
      />
    </>
  );
}

type UserTableProps = { searchParams: SearchParams; pageParams: SearchParams; views: ListViews };

async function UserTable({ searchParams, pageParams, views }: UserTableProps) {
  const page = readIdPageParams(pageParams, walletPageSizes, defaultWalletPageSize);
  const sort = readSort(searchParams, walletUserSortKeys, { key: 'name', order: 'asc' });
  const filter = readFilters(searchParams, ['q']);
  const found = await listWalletUsers({ ...filter, ...page.request }, sort);
  const hrefs = ({ id }: WalletUserRow) => ({
    topUpHref: withParams(pathname, searchParams, { topup: id }),
    transactionsHref: `${withParams(pathname, searchParams, { account: id })}#transactions`,
  });
  return (
    <RecordList
      {...found}
      {...{ pathname, searchParams, sort, page, filter }}
      filters={[
        {
          placeholder: 'Search name, email, role, transaction…',
          label: 'Search users and transactions',
          className: 'sm:w-96',
        },
      ]}
      hasClearLink={false}
      listActions={
        <>
          <SavedViewsButton {...views} />
          <ExportLink pathname={pathname} filter={filter} label="Export users" />
        </>
      }
      note={<SavedViewLinks {...views} />}
      caption="Users"
      columns={userColumns(hrefs)}
      rowKey={(user) => user.id}
      records="users"
      noMatch="Try part of a name, email or role."
      empty={{
        icon: <Icon name="user-round" />,
        title: 'No users yet',
        children: 'New users appear here with an empty wallet.',
      }}
    />
  );
}

/** The URLs of the actions of a row. */
type Hrefs = { topUpHref: string; transactionsHref: string };

function userColumns(hrefs: (user: WalletUserRow) => Hrefs): Column<WalletUserRow>[] {
  return [
    {
      header: 'User',
      phone: 'title',
      sortKey: 'name',
      className: 'w-full max-w-0 min-w-48',
      cell: (user) => <UserName {...user} />,
    },
    { header: 'Role', className: 'whitespace-nowrap', cell: (user) => user.role },
    { header: 'Status', cell: (user) => <UserStatusBadge status={user.status} /> },
    {
      header: 'Balance',
      phone: 'end',
      align: 'right',
      sortKey: 'balance',
      firstOrder: 'desc',
      cell: (user) => <Money amountMinor={user.balanceCents} className="font-medium text-ink" />,
    },
    actionsColumn((user) => <WalletUserActions user={user} {...hrefs(user)} />),
  ];
}

type TopUpDialogProps = {
  /** The URL parameter as received: a user's id, "new" for no preselected user, or '' if absent. */
  userParam: string;
  closeHref: string;
};

/** Renders the Manual Top-Up dialog, if the URL opens it. */
async function TopUpDialog({ userParam, closeHref }: TopUpDialogProps) {
  if (userParam === '') return null;
  const [{ rows, total }, chosen] = await Promise.all([
    listWalletUsers({ limit: mostUsers, offset: 0 }),
    userParam === 'new' ? null : findWalletUser(userParam),
  ]);
  const users = chosen && !rows.some(({ id }) => id === chosen.id) ? [chosen, ...rows] : rows;
  if (userParam !== 'new' && !chosen) {
    return (
      <RecordNotFound
        key={userParam}
        title="User not found"
        text="This user doesn’t exist or was deleted."
        closeHref={closeHref}
      />
    );
  }
  return (
    <ManualTopUp
      key={userParam}
      users={users.map((user) => ({
        id: user.id,
        kind: user.kind,
        label: userLabel(user),
        balanceCents: user.balanceCents,
      }))}
      isCut={total > rows.length}
      initialUserId={chosen?.id ?? ''}
      closeHref={closeHref}
    />
  );
}
