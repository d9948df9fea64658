import { VerdictBadge } from '@/components/links/check-result';
import { Badge } from '@/components/ui/badge';
import { ButtonLink } from '@/components/ui/button';
import { formatCount } from '@/components/ui/format';
import { Money } from '@/components/ui/money';
import { StatTile, tileGrid } from '@/components/ui/stat-tile';
import { linkStandings } from '@/db/schema/links';
import { formatUsd } from '@/lib/money';
import type { LinkCounts, ProjectOrderStats, ProjectSpend } from '@/lib/orders/order/project-figures';
import type { ProjectView } from '@/lib/projects/contract';

/** Renders a link to a project's target, in a new tab without access to this one. */
export function TargetLink({ url, className = '' }: { url: string; className?: string }) {
  return (
    <a
      href={url}
      target="_blank"
      rel="noopener noreferrer"
      data-tooltip={url}
      className={`block max-w-full truncate rounded-sm text-accent-ink hover:underline ${className}`}
    >
      {url.replace(/^https?:\/\//, '').replace(/\/$/, '')}
    </a>
  );
}

/** In a row of a list, so that many keywords do not make it high. */
const shortCount = 5;

type KeywordBadgesProps = {
  /** Comma-separated keywords. */
  text: string;
  /** Shows the first keywords, and the others when the user opens them. */
  isShort?: boolean;
  className?: string;
};

export function KeywordBadges({ text, isShort = false, className = '' }: KeywordBadgesProps) {
  const keywords = [...new Set(text.split(',').map((keyword) => keyword.trim()))];
  // One more takes as much room as the number of the others.
  const isCut = isShort && keywords.length > shortCount + 1;
  const rest = isCut ? keywords.slice(shortCount) : [];
  return (
    <div className={className}>
      <Badges keywords={isCut ? keywords.slice(0, shortCount) : keywords} label="Keywords" />
      {rest.length > 0 ? (
        <details className="group mt-1">
          <summary className="min-h-6 w-fit rounded-sm text-accent-ink text-xs leading-6 hover:underline">
            <span className="group-open:hidden">{`${rest.length} more`}</span>
            <span className="hidden group-open:inline">Show fewer</span>
          </summary>
          <Badges keywords={rest} label="More keywords" />
        </details>
      ) : null}
    </div>
  );
}

function Badges({ keywords, label }: { keywords: readonly string[]; label: string }) {
  return (
    <ul aria-label={label} className="wrap-anywhere flex flex-wrap gap-1">
      {keywords.map((keyword) => (
        <li key={keyword} className="min-w-0 max-w-full">
          <Badge className="h-auto min-h-5 max-w-full whitespace-normal rounded-[0.625rem]">
            <span className="line-clamp-2">{keyword}</span>
          </Badge>
        </li>
      ))}
    </ul>
  );
}

/** Renders the project's total cost, null in a view by staff, and its results. */
export function ProjectTiles({ figures, spend }: { figures: ProjectOrderStats; spend: ProjectSpend | null }) {
  return (
    <div className={tileGrid}>
      <StatTile
        label="Spent"
        value={spend ? <Money amountMinor={spend.spentCents} /> : '–'}
        hint={spend ? spendHint(spend) : undefined}
        icon="wallet"
      />
      <StatTile label="Orders" value={formatCount(figures.total)} hint="placed so far" icon="receipt-text" />
      <StatTile
        label="Awaiting delivery"
        value={formatCount(figures.awaiting)}
        hint="pending or processing"
        icon="clock"
      />
      <StatTile
        label="Live links"
        value={formatCount(figures.liveLinks)}
        hint="in place at the newest check"
        icon="link-2"
      />
    </div>
  );
}

function spendHint({ refundedCents, unlistedCents }: ProjectSpend): string {
  const parts = [
    refundedCents > 0 ? `after ${formatUsd(refundedCents)} in refunds` : 'net of refunds',
    unlistedCents > 0 ? `including ${formatUsd(unlistedCents)} for orders no longer listed` : '',
  ];
  return parts.filter(Boolean).join(', ');
}

/** Shows the number of checked links by result, also of deliveries that are not live yet, and links to the report. */
export function LinkSummary({ project, counts }: { project: ProjectView; counts: LinkCounts }) {
  const found = linkStandings.filter((verdict) => counts[verdict].total > 0);
  return (
    <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
      <p className="flex flex-wrap items-center gap-3 text-sm">
        {found.length > 0 ? <span className="text-muted">Checked links, deliveries included</span> : null}
        {found.map((verdict) => (
          <span key={verdict} className="flex items-center gap-1.5">
            <VerdictBadge verdict={verdict} /> {formatCount(counts[verdict])}
          </span>
        ))}
      </p>
      <span className="flex gap-2">
        <ButtonLink href={`/user/projects/${project.id}?tab=reports`} size="sm">
          Client report
        </ButtonLink>
      </span>
    </div>
  );
}
