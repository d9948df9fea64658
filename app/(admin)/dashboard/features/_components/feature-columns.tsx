import type { Column } from '@/components/table/data-table';
import type { HighlightView } from '@/lib/settings/signup-highlights/queries';
import { FeatureActions } from './feature-actions';

export const featureColumns: Column<HighlightView>[] = [
  {
    key: 'name',
    header: 'Name',
    cell: ({ name }) => <span className="wrap-anywhere font-medium text-ink">{name}</span>,
  },
  {
    key: 'description',
    header: 'Description',
    cell: ({ description }) => <span className="wrap-anywhere block max-w-2xl text-muted">{description || '–'}</span>,
  },
  {
    key: 'actions',
    header: 'Actions',
    headerHidden: true,
    align: 'right',
    cell: (feature) => <FeatureActions feature={feature} />,
  },
];
