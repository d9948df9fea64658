import { ArrowLeftRight } from 'lucide-react';
import { DataTable } from '@/components/table/data-table';
import { NoMatch } from '@/components/table/no-match';
import { readPageParams } from '@/components/table/page-params';
import { type SearchParams, withParams } from '@/components/table/url';
import { EmptyState } from '@/components/ui/empty-state';
import { listAllTransactions } from '@/lib/wallet/admin-queries';
import { defaultRows, pageSizes } from './tabs';
import { TransactionCard } from './transaction-card';
import { transactionColumns } from './transaction-columns';

type TransactionsTabProps = { q: string; pathname: string; searchParams: SearchParams };

export async function TransactionsTab({ q, pathname, searchParams }: TransactionsTabProps) {
  const page = readPageParams(searchParams, pageSizes, defaultRows);
  const { rows, total } = await listAllTransactions({ q, limit: page.limit, offset: page.offset });
  return (
    <DataTable
      caption="All transactions"
      columns={transactionColumns}
      rows={rows}
      rowKey={(line) => `${line.id} ${line.type}`}
      card={(line) => <TransactionCard line={line} />}
      pathname={pathname}
      searchParams={searchParams}
      wide
      empty={
        q === '' ? (
          <EmptyState icon={<ArrowLeftRight />} title="No transactions yet">
            Top-ups and orders of all users appear here.
          </EmptyState>
        ) : (
          <NoMatch
            title="No transaction matches"
            clearHref={withParams(pathname, searchParams, { q: null, page: null })}
          >
            Try a part of a name, an e-mail, the id, the note, the method, an amount or a date.
          </NoMatch>
        )
      }
      paging={{ page, total, sizes: pageSizes, defaultRows }}
    />
  );
}
