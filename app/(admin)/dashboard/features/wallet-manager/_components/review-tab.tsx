import { PiggyBank, ShieldCheck } from 'lucide-react';
import { DataTable } from '@/components/table/data-table';
import type { SearchParams } from '@/components/table/url';
import { EmptyState } from '@/components/ui/empty-state';
import { listReceivables } from '@/lib/ledger/receivables';
import { listWithheld } from '@/lib/payments/reversals/withheld-returns';
import { listSuspendedPayments } from '@/lib/payments/top-ups/suspended-payments';
import { KeptApartCard } from './kept-apart-card';
import { keptApartColumns } from './kept-apart-columns';
import { ReceivableCard } from './receivable-card';
import { receivableColumns } from './receivable-columns';
import { WithheldSection } from './withheld-section';

type ReviewTabProps = { pathname: string; searchParams: SearchParams };

/** Money that somebody has to decide about: kept apart, withheld, and owed. All lists are short by nature. */
export async function ReviewTab({ pathname, searchParams }: ReviewTabProps) {
  const [apart, withheld, owed] = await Promise.all([listSuspendedPayments(), listWithheld(), listReceivables()]);
  return (
    <div className="grid grid-cols-1 gap-8">
      <section aria-labelledby="apart-heading">
        <h2 id="apart-heading" className="font-medium text-base text-ink">
          Kept apart
        </h2>
        <p className="mt-1 mb-3 max-w-2xl text-muted text-sm">
          Payments that arrived but are credited to nobody. Credit one as it came, or refund it at the provider: then it
          leaves this list by itself. Until then it stays in suspense.
        </p>
        <DataTable
          caption="Payments kept apart"
          columns={keptApartColumns}
          rows={apart}
          rowKey={keyOf}
          card={(one) => <KeptApartCard one={one} />}
          pathname={pathname}
          searchParams={searchParams}
          wide
          empty={
            <EmptyState icon={<ShieldCheck />} title="Nothing is kept apart">
              Every payment that arrived matched its top-up.
            </EmptyState>
          }
        />
      </section>
      <WithheldSection rows={withheld} pathname={pathname} searchParams={searchParams} />
      <section aria-labelledby="owed-heading">
        <h2 id="owed-heading" className="font-medium text-base text-ink">
          Owed by buyers
        </h2>
        <p className="mt-1 mb-3 max-w-2xl text-muted text-sm">
          Payments that were refunded or charged back after their money was spent. The next top-up by a provider pays
          the debt first.
        </p>
        <DataTable
          caption="Owed by buyers"
          columns={receivableColumns}
          rows={owed}
          rowKey={(one) => one.userId}
          card={(one) => <ReceivableCard one={one} />}
          pathname={pathname}
          searchParams={searchParams}
          empty={
            <EmptyState icon={<PiggyBank />} title="Nobody owes anything">
              No refund or dispute took more than a wallet held.
            </EmptyState>
          }
        />
      </section>
    </div>
  );
}

const keyOf = ({ topupId, currency }: { topupId: string; currency: string }) => `${topupId} ${currency}`;
