import type { Column } from '@/components/table/data-table';
import { RecordList } from '@/components/table/record-list';
import { readFilters, readPageParams, type SearchParams } from '@/components/table/url';
import { Badge } from '@/components/ui/badge';
import { Card, CardBody } from '@/components/ui/card';
import { countOf } from '@/components/ui/format';
import { Icon } from '@/components/ui/icon';
import { TimeAgo } from '@/components/ui/time-ago';
import { linkedStates, linkSources } from '@/db/schema/project-domains';
import { getShownName } from '@/lib/network/web-address';
import { parseFilters } from '@/lib/platform/http/parse';
import type { ProjectView } from '@/lib/projects/contract';
import { listLinkedDomainsQuery, maxLinkFileBytes } from '@/lib/projects/linked-domains/contract';
import {
  type LinkedDomainRow,
  type LinkSourceFigures,
  listLinkedDomains,
  listLinkSources,
} from '@/lib/projects/linked-domains/list-linked';
import { ClearSource, HideLinkedSwitch, ImportLinked } from './linked-controls';
import { sourceNames, stateNames } from './linked-words';

type LinkedTabProps = {
  project: ProjectView;
  pathname: string;
  searchParams: SearchParams;
  /** Staff look at the screen as the buyer, and change nothing. */
  isReadOnly: boolean;
};

/** Renders the domains that link to a project already, according to the files that its owner imported. */
export async function LinkedTab({ project, pathname, searchParams, isReadOnly }: LinkedTabProps) {
  const page = readPageParams(searchParams);
  const { filter } = parseFilters(
    listLinkedDomainsQuery.pick({ q: true, state: true, source: true }),
    readFilters(searchParams, ['q', 'state', 'source']),
  );
  const [{ rows, ...counted }, sources] = await Promise.all([
    listLinkedDomains(project.id, { ...filter, limit: page.limit, offset: page.offset }),
    listLinkSources(project.id),
  ]);
  const isFiltered = Object.values(filter).some(Boolean);
  return (
    <RecordList
      {...counted}
      {...{ page, filter, pathname, searchParams, rows, columns }}
      caption={`Sites that link to ${project.domain}`}
      filters={
        sources.length > 0 || isFiltered
          ? [
              { placeholder: 'Search domains…', label: 'Search domains' },
              {
                param: 'state',
                label: 'State',
                allLabel: 'All states',
                options: linkedStates.map((value) => ({ value, label: stateNames[value][0] })),
              },
              {
                param: 'source',
                label: 'Source',
                allLabel: 'All sources',
                options: linkSources.map((value) => ({ value, label: sourceNames[value] })),
              },
            ]
          : []
      }
      rowKey={({ domain, source }) => `${domain} ${source}`}
      records="domains"
      empty={{
        icon: <Icon name="link-2" />,
        title: 'No imported links yet',
        children:
          'Import an export of Search Console, Ahrefs, Semrush, Majestic or Moz, so that the marketplace marks sites that already link. Your own orders count by themselves.',
      }}
    >
      {sources.length === 0 && isReadOnly ? null : (
        <Card aria-label="Sources of links" className="mb-4">
          <CardBody className="grid gap-4">
            {isReadOnly ? null : (
              <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
                <HideLinkedSwitch key={project.version} project={project} />
                <ImportLinked projectId={project.id} maxBytes={maxLinkFileBytes} />
              </div>
            )}
            {sources.length > 0 ? <Sources {...{ sources, isReadOnly }} projectId={project.id} /> : null}
          </CardBody>
        </Card>
      )}
    </RecordList>
  );
}

type SourcesProps = { sources: readonly LinkSourceFigures[]; projectId: string; isReadOnly: boolean };

/** Lists what each tool stated, and when it was imported. */
function Sources({ sources, projectId, isReadOnly }: SourcesProps) {
  return (
    <ul className="divide-y divide-line rounded-md border border-line text-sm">
      {sources.map(({ source, live, lost, unknown, anchors, importedAt }) => {
        const domains = live + lost + unknown;
        const counts: [count: number, text: string][] = [
          [live, 'link now'],
          [lost, 'linked before'],
          [unknown, 'not stated'],
          [anchors, anchors === 1 ? 'anchor' : 'anchors'],
        ];
        return (
          <li key={source} className="flex flex-wrap items-center gap-x-4 gap-y-1 px-3 py-2">
            <span className="min-w-0 flex-1 basis-48">
              <span className="block text-ink">
                {sourceNames[source]}: {countOf(domains, 'domain')}
              </span>
              <span className="block text-muted text-xs">
                {counts
                  .filter(([count]) => count > 0)
                  .map(([count, text]) => `${count.toLocaleString('en-US')} ${text}`)
                  .join(', ')}
                {importedAt ? (
                  <>
                    {' · imported '}
                    <TimeAgo at={importedAt} />
                  </>
                ) : null}
              </span>
            </span>
            {isReadOnly ? null : <ClearSource {...{ projectId, source, domains }} name={sourceNames[source]} />}
          </li>
        );
      })}
    </ul>
  );
}

const dayFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });
const formatDay = (day: string) => dayFormat.format(new Date(`${day}T00:00:00Z`));

function StateBadge({ state }: Pick<LinkedDomainRow, 'state'>) {
  const [name, tone] = stateNames[state];
  return <Badge tone={tone}>{name}</Badge>;
}

const seenDay = ({ seenOn }: LinkedDomainRow) =>
  seenOn ? formatDay(seenOn) : <span className="text-subtle">Not stated</span>;

const columns: Column<LinkedDomainRow>[] = [
  {
    header: 'Domain',
    phone: 'title',
    cell: ({ domain }) => <span className="block truncate text-ink">{getShownName({ hostname: domain })}</span>,
    className: 'w-[45%] min-w-40 max-w-0',
  },
  { header: 'State', phone: 'end', cell: (row) => <StateBadge state={row.state} /> },
  { header: 'Source', cell: ({ source }) => sourceNames[source] },
  { header: 'As of', phone: 'labeled', cell: seenDay, className: 'whitespace-nowrap' },
  {
    header: 'Imported',
    phone: 'hidden',
    cell: ({ importedAt }) => <TimeAgo at={importedAt} />,
    className: 'whitespace-nowrap text-muted',
  },
];
