import Link from 'next/link';
import { formatCount } from '@/components/ui/format';
import { Icon } from '@/components/ui/icon';
import { Money } from '@/components/ui/money';
import { StatTile, threeTileGrid, twoTileGrid } from '@/components/ui/stat-tile';
import type { CappedCount } from '@/db/count-up-to';
import type { AccountRight } from '@/lib/access/account-roles';
import type { LinkFigures } from '@/lib/dashboard/buyer-figures';
import type { SpendingMonth } from '@/lib/wallet/spending';

type SummaryTilesProps = {
  /** Null if loading failed. */
  projects: CappedCount | null;
  orders: { all: CappedCount; awaiting: CappedCount } | null;
  balanceCents: number | null;
  has: HasRight;
};

/** Checks what the viewer may do in the account. */
export type HasRight = (right: AccountRight) => boolean;

/** A tool of the buyer: its name, its screen, and the right that the screen needs. */
export type Tool = { label: string; href: string; right?: AccountRight };

const figure = (count: CappedCount | undefined | null) => (count ? formatCount(count) : '–');

/** Renders the tiles of projects, orders and the wallet, which link to their screens, as far as the viewer may see them. */
export function SummaryTiles({ projects, orders, balanceCents, has }: SummaryTilesProps) {
  return (
    <>
      {has('account:orders') ? (
        <>
          <StatTile
            label="Projects"
            value={figure(projects)}
            hint="websites you order links for"
            icon="folder-kanban"
            href="/user/projects"
          />
          <StatTile
            label="Orders"
            value={figure(orders?.all)}
            hint={`${figure(orders?.awaiting)} awaiting delivery`}
            icon="receipt-text"
            href="/user/orders"
          />
        </>
      ) : null}
      {has('account:balance') ? (
        <StatTile
          label="Wallet"
          value={balanceCents === null ? '–' : <Money amountMinor={balanceCents} />}
          hint="available to spend"
          icon="wallet"
          {...(has('account:wallet') && { href: '/user/wallet' })}
        />
      ) : null}
    </>
  );
}

/** Renders the links of the buyer's tools. */
export function ToolsTile({ tools, has }: { tools: readonly Tool[]; has: HasRight }) {
  const offered = tools.filter(({ right }) => right === undefined || has(right));
  return (
    <section aria-label="Tools" className="card px-5 py-4">
      <h2 className="flex items-center justify-between gap-2 font-normal text-muted text-sm">
        Tools
        <Icon name="wrench" className="text-subtle" />
      </h2>
      <ul className="mt-1.5 grid text-sm">
        {offered.map(({ label, href }) => (
          <li key={href} className="flex min-w-0">
            <Link
              prefetch={false}
              href={href}
              className="min-w-0 truncate rounded-sm py-0.5 text-accent-ink hover:underline"
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

type MonthTilesProps = {
  /** The current month; null if loading failed. */
  spending: SpendingMonth | null;
  /** Null if loading failed. */
  links: LinkFigures | null;
  has: HasRight;
};

/** Renders the figures of the current month (UTC): money spent, links that went live, and links that were lost. */
export function MonthTiles({ spending, links, has }: MonthTilesProps) {
  const isWithSpending = has('account:balance');
  return (
    <div className={links && isWithSpending ? threeTileGrid : twoTileGrid}>
      {isWithSpending ? (
        <StatTile
          label="Spent this month"
          value={spending ? <Money amountMinor={spending.paidCents - spending.returnedCents} /> : '–'}
          hint={
            spending && spending.returnedCents > 0 ? (
              <>
                after <Money amountMinor={spending.returnedCents} /> in refunds
              </>
            ) : (
              'on orders'
            )
          }
          icon="circle-dollar-sign"
          {...(has('account:wallet') && { href: '/user/wallet' })}
        />
      ) : null}
      {has('account:orders') ? (
        <StatTile
          label="Live this month"
          value={links ? formatCount(links.live) : '–'}
          hint={links?.live.total === 1 ? 'new link' : 'new links'}
          icon="link-2"
          href="/user/orders?status=Completed"
        />
      ) : null}
      {links ? (
        <StatTile
          label="Lost this month"
          value={formatCount(links.lost)}
          hint={links.missing.total > 0 ? `${formatCount(links.missing)} missing now` : 'none missing now'}
          icon="unlink-2"
        />
      ) : null}
    </div>
  );
}
