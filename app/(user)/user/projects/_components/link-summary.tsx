import { Download } from 'lucide-react';
import { VerdictBadge } from '@/components/links/verdict-badge';
import { buttonClass } from '@/components/ui/button-class';
import { ButtonLink } from '@/components/ui/button-link';
import { formatCount } from '@/components/ui/format-count';
import { linkStandings } from '@/db/schema/links';
import type { LinkCounts } from '@/lib/orders/project-figures';
import type { ProjectView } from '@/lib/projects/views';

/** The number of checked links by result, also of deliveries that are not live yet, and the report for others. */
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
        <ButtonLink href={`/user/projects/${project.id}/report`} size="sm">
          Link report
        </ButtonLink>
        <a href={`/user/projects/${project.id}/report/export`} download="" className={buttonClass({ size: 'sm' })}>
          <Download className="size-4" />
          Export CSV
        </a>
      </span>
    </div>
  );
}
