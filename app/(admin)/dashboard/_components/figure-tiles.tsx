import { CircleDollarSign, FileText, FolderKanban, UsersRound } from 'lucide-react';
import { Money } from '@/components/ui/money';
import { StatTile } from '@/components/ui/stat-tile';
import { type Growth, getGrowth, type Revenue } from '@/lib/dashboard/admin';
import { TrendHint } from './trend-hint';

/** The four cards of spec 000, section 2, with real figures (decision 20). */
export async function FigureTiles({ revenue }: { revenue: Promise<Revenue> }) {
  const [{ users, projects, sites }, { recentCents, beforeCents }] = await Promise.all([getGrowth(), revenue]);
  return (
    <>
      <StatTile label="Users" value={count(users.total)} hint={newHint(users)} icon={UsersRound} />
      <StatTile label="Projects" value={count(projects.total)} hint={newHint(projects)} icon={FolderKanban} />
      <StatTile label="Guest Posts" value={count(sites.total)} hint={newHint(sites)} icon={FileText} />
      <StatTile
        label="Revenue"
        value={<Money amountMinor={recentCents} />}
        hint={<TrendHint text="in the last 30 days" recent={recentCents} before={beforeCents} />}
        icon={CircleDollarSign}
      />
    </>
  );
}

const count = (value: number) => value.toLocaleString('en-US');

function newHint({ recent, before }: Growth) {
  return <TrendHint text={`${count(recent)} new in 30 days`} recent={recent} before={before} />;
}
