import { AnswerBadge, AnswerText } from '@/app/(admin)/dashboard/features/_components/service-state';
import { screenTexts } from '@/components/shell/screen-texts';
import { actionsColumn, type Column } from '@/components/table/data-table';
import { RecordList } from '@/components/table/record-list';
import { Badge } from '@/components/ui/badge';
import { ButtonLink } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { TimeAgo } from '@/components/ui/time-ago';
import { requirePage } from '@/lib/auth/page-guard';
import { type ApiKeyView, listApiKeys } from '@/lib/settings/api-keys';
import { maxRequestsPerDay, readRatingBudget } from '@/lib/sites/domain-figures/ahrefs/budget';
import { getRatingStatus } from '@/lib/sites/domain-figures/ahrefs/rating-use';
import { KeyActions } from './_components/key-editor';
import { RatingsCard } from './_components/ratings-card';

const keyColumns: Column<ApiKeyView>[] = [
  {
    header: 'Name',
    phone: 'title',
    cell: ({ name, isInUse }) => (
      <span className="flex flex-wrap items-center gap-2">
        <span className="wrap-anywhere line-clamp-2 font-medium text-ink">{name}</span>
        {isInUse ? <Badge tone="green">In use</Badge> : null}
      </span>
    ),
  },
  { header: 'Provider', cell: ({ provider }) => provider },
  { header: 'Key', cell: ({ lastFour }) => <MaskedKey lastFour={lastFour} /> },
  { header: 'State', phone: 'line', cell: ({ answer }) => <KeyState answer={answer} /> },
  { header: 'Stored', cell: ({ keySetAt }) => <TimeAgo at={keySetAt} className="text-muted" /> },
  actionsColumn((apiKey) => <KeyActions apiKey={apiKey} />, { phone: 'end' }),
];

const pathname = '/dashboard/features/api-manager';
const texts = screenTexts(pathname);

export const metadata = { title: texts.title };

export default async function ApiManagerPage() {
  await requirePage('admin', 'ManageSettings');
  const [keys, status, budget] = await Promise.all([listApiKeys(), getRatingStatus(), readRatingBudget()]);
  return (
    <>
      <RecordList
        {...texts}
        actions={
          <>
            <ButtonLink href="/dashboard/features/api-reference">API reference</ButtonLink>
            <KeyActions apiKey={null} />
          </>
        }
        caption="API keys"
        columns={keyColumns}
        rows={keys}
        rowKey={({ id }) => id}
        pathname={pathname}
        searchParams={{}}
        empty={{
          icon: <Icon name="key-round" />,
          title: 'No keys yet',
          children:
            'With an OpenAI key, the SERP preview asks the model for titles and descriptions. With an Ahrefs key, the domains of the catalog get their measured Domain Rating. With the token of a Telegram bot, users get their notifications in Telegram.',
        }}
      />
      <RatingsCard status={status} {...budget} max={maxRequestsPerDay} />
    </>
  );
}

/** Displays what the provider last answered to the key. */
function KeyState({ answer }: Pick<ApiKeyView, 'answer'>) {
  return (
    <span className="grid justify-items-start gap-1">
      <AnswerBadge answer={answer} />
      {answer ? (
        <span className="text-muted text-xs">
          <AnswerText answer={answer} />
        </span>
      ) : null}
    </span>
  );
}

/** Displays the last four characters; the rest of the key is never sent to the browser. */
function MaskedKey({ lastFour }: { lastFour: string }) {
  return (
    <span className="whitespace-nowrap font-mono text-xs">
      <span aria-hidden="true">••••••••</span>
      <span className="sr-only">Ends in </span>
      {lastFour}
    </span>
  );
}
