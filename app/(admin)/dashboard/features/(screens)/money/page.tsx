import { screenTexts } from '@/components/shell/screen-texts';
import { ExportLink } from '@/components/table/export-link';
import { FilterDate } from '@/components/table/filter-date';
import { Toolbar } from '@/components/table/record-list';
import { oneParam, readFilters, type SearchParams } from '@/components/table/url';
import { Alert } from '@/components/ui/alert';
import { PageHeader } from '@/components/ui/page-header';
import { Tabs } from '@/components/ui/tabs';
import { onReplica } from '@/db/replicas';
import type { Actor } from '@/lib/access/actor';
import { hasPermission } from '@/lib/access/authorize';
import { requirePage } from '@/lib/auth/page-guard';
import { getCashPosition } from '@/lib/dashboard/cash-position';
import { getMarketplaceFigures, periodQuery, positionQuery, resolvePeriod } from '@/lib/dashboard/marketplace-figures';
import { currentDay } from '@/lib/dashboard/money-figures';
import { getActiveModes } from '@/lib/payments/config/config';
import { providerNames } from '@/lib/payments/providers/names';
import { parseFilters } from '@/lib/platform/http/parse';
import { IgnoredDates } from './_components/days';
import { moneyPath as pathname } from './_components/figure-texts';
import { MarketplaceView } from './_components/marketplace-view';
import { PositionView } from './_components/position-view';

const texts = screenTexts(pathname);

export const metadata = { title: texts.title };

export default async function MoneyPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await requirePage('admin', 'ManageWallets');
  const params = await searchParams;
  const isMarketplace = oneParam(params, 'view') === 'marketplace';
  return (
    <>
      <PageHeader {...texts} />
      <div className="mb-4">
        <Tabs
          label="Money overview"
          tabs={[
            { href: pathname, label: 'Cash and owed', current: !isMarketplace },
            { href: `${pathname}?view=marketplace`, label: 'Marketplace', current: isMarketplace },
          ]}
        />
      </div>
      <TestMoneyNote />
      {isMarketplace ? <Marketplace {...{ actor, params }} /> : <Position actor={actor} params={params} />}
    </>
  );
}

const nameList = new Intl.ListFormat('en');

/** Names the providers in test mode: their money is in the books until they go live. */
async function TestMoneyNote() {
  const modes = await getActiveModes();
  const names = [...modes].filter(([, mode]) => mode !== 'live').map(([provider]) => providerNames[provider]);
  if (names.length === 0) return null;
  return (
    <Alert tone="info" className="mb-4">
      {nameList.format(names)} {names.length === 1 ? 'is' : 'are'} in test mode. The figures include test money, which
      is removed with the switch to live mode.
    </Alert>
  );
}

async function Position({ actor, params }: { actor: Actor; params: SearchParams }) {
  const { filter, ignored } = parseFilters(positionQuery, readFilters(params, ['day']));
  const today = currentDay();
  const day = filter.day === undefined || filter.day > today ? today : filter.day;
  const position = await getCashPosition(day);
  const mayOpenPayouts = hasPermission(actor, 'ManagePayouts');
  return (
    <>
      <Toolbar clearHref={params.day ? pathname : null}>
        <FilterDate param="day" label="Day" fallback={day} />
      </Toolbar>
      <IgnoredDates names={ignored} />
      <PositionView
        position={position}
        day={day}
        payoutsHref={(state) =>
          mayOpenPayouts && day === today ? `/dashboard/features/payouts?state=${state}` : undefined
        }
      />
    </>
  );
}

async function Marketplace({ actor, params }: { actor: Actor; params: SearchParams }) {
  const { filter, ignored } = parseFilters(periodQuery, readFilters(params, ['from', 'to']));
  const period = resolvePeriod(filter);
  const found = await onReplica(actor, (on) => getMarketplaceFigures(period, on));
  const isFiltered = Boolean(params.from || params.to);
  return (
    <>
      <Toolbar
        clearHref={isFiltered ? `${pathname}?view=marketplace` : null}
        actions={<ExportLink pathname={pathname} filter={period} />}
      >
        <FilterDate param="from" label="From" fallback={period.from} />
        <FilterDate param="to" label="To" fallback={period.to} />
      </Toolbar>
      <IgnoredDates names={ignored} />
      <MarketplaceView found={found} period={period} />
    </>
  );
}
