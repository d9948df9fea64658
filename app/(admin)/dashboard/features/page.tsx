import { screenTexts } from '@/components/shell/screen-texts';
import { actionsColumn, type Column, noValue } from '@/components/table/data-table';
import { RecordList } from '@/components/table/record-list';
import { ButtonLink } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { requirePage } from '@/lib/auth/page-guard';
import { type HighlightView, listHighlights } from '@/lib/settings/signup-highlights';
import { FeatureActions } from './_components/feature-editor';

const featureColumns: Column<HighlightView>[] = [
  {
    header: 'Name',
    phone: 'title',
    cell: ({ name }) => <span className="wrap-anywhere line-clamp-2 font-medium text-ink">{name}</span>,
  },
  {
    header: 'Description',
    phone: 'line',
    cell: ({ description }) =>
      description ? <span className="wrap-anywhere block max-w-2xl text-muted">{description}</span> : noValue,
  },
  actionsColumn((feature) => <FeatureActions feature={feature} />, { phone: 'end' }),
];

const pathname = '/dashboard/features';
const texts = screenTexts(pathname);

export const metadata = { title: texts.title };

export default async function FeatureManagerPage() {
  await requirePage('admin', 'ManageSettings');
  return (
    <RecordList
      {...texts}
      actions={
        <>
          <ButtonLink href="/register" target="_blank">
            View on the page
          </ButtonLink>
          <FeatureActions feature={null} />
        </>
      }
      caption="Features"
      columns={featureColumns}
      rows={await listHighlights()}
      rowKey={({ id }) => id}
      pathname={pathname}
      searchParams={{}}
      empty={{
        icon: <Icon name="list-checks" />,
        title: 'No features yet',
        children: 'Add features to show a list on the registration page.',
      }}
    />
  );
}
