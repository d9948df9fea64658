import { UserRound } from 'lucide-react';
import { DataTable } from '@/components/table/data-table';
import { NoMatch } from '@/components/table/no-match';
import { readPageParams, readSort } from '@/components/table/page-params';
import { type SearchParams, withParams } from '@/components/table/url';
import { EmptyState } from '@/components/ui/empty-state';
import { listWalletUsers, walletUserSortKeys } from '@/lib/users/queries';
import { defaultRows, pageSizes } from './tabs';
import { UserCard } from './user-card';
import { userColumns } from './user-columns';

type UsersTabProps = { q: string; pathname: string; searchParams: SearchParams };

export async function UsersTab({ q, pathname, searchParams }: UsersTabProps) {
  const page = readPageParams(searchParams, pageSizes, defaultRows);
  const sort = readSort(searchParams, walletUserSortKeys, { key: 'name', order: 'asc' });
  const { rows, total } = await listWalletUsers({ q, limit: page.limit, offset: page.offset }, sort);
  const topUpHref = (userId: string) => withParams(pathname, searchParams, { topup: userId });
  return (
    <DataTable
      caption="Users"
      columns={userColumns(topUpHref)}
      rows={rows}
      rowKey={(user) => user.id}
      card={(user) => <UserCard user={user} topUpHref={topUpHref(user.id)} />}
      pathname={pathname}
      searchParams={searchParams}
      sort={sort}
      empty={
        q === '' ? (
          <EmptyState icon={<UserRound />} title="No users yet">
            Whoever registers appears here with an empty wallet.
          </EmptyState>
        ) : (
          <NoMatch title="No user matches" clearHref={withParams(pathname, searchParams, { q: null, page: null })}>
            Try a part of the name, the e-mail or the role.
          </NoMatch>
        )
      }
      paging={{ page, total, sizes: pageSizes, defaultRows }}
    />
  );
}
