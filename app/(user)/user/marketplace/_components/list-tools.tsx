'use client';

import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { startTransition, useOptimistic } from 'react';
import { toast } from 'sonner';
import { saveColumnsAction } from '@/app/(user)/user/marketplace/actions';
import { type CataloguePart, CatalogueParts, useListUrl } from '@/components/sites/filters/catalogue-parts';
import { sortChoices } from '@/components/sites/filters/filter-params';
import { columnChoices } from '@/components/sites/site-columns';
import { useParamChange } from '@/components/table/use-param-change';
import { Button, IconButton } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import {
  Menu,
  MenuCheckboxItem,
  MenuItem,
  MenuLabel,
  MenuRadioGroup,
  MenuRadioItem,
  MenuSeparator,
} from '@/components/ui/menu';
import { ApiError, callAction, redirectIfSignedOut } from '@/lib/browser/api-client';

type ListToolsProps = {
  /** The keys of the visible columns. */
  columns: readonly string[];
  show: CataloguePart;
  /** The number of sites in the list; below, the number of the user's favourite and hidden sites of the post type. */
  total: string;
  favourites: number;
  hidden: number;
  view: 'table' | 'cards';
  sortValue: string;
};

/** Renders the toolbar above the rows: which sites to list, their order, the layout and the columns. */
export function ListTools({ show, total, favourites, hidden, view, sortValue, columns }: ListToolsProps) {
  const { hrefWith } = useListUrl();
  const other = view === 'cards' ? 'Show as a table' : 'Show as cards';
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1.5 border-line border-b px-3 py-1.5">
      <CatalogueParts
        shown={show}
        counts={{ all: show === 'all' ? total : '', favourites: favourites || '', hidden: hidden || '' }}
        className="mr-auto"
      />
      {/* The table sorts by its headers; the cards sort by this menu. */}
      <div
        className={view === 'cards' ? 'max-sm:order-last max-sm:w-full' : 'max-sm:order-last max-sm:w-full lg:hidden'}
      >
        <SortMenu value={sortValue} />
      </div>
      <ColumnsMenu columns={columns} />
      <Link
        prefetch={false}
        href={hrefWith({ view: view === 'cards' ? null : 'cards' })}
        scroll={false}
        data-tooltip={other}
        className="btn btn-ghost btn-sm btn-square max-lg:hidden"
      >
        {view === 'cards' ? <Icon name="rows-3" /> : <Icon name="layout-grid" />}
        <span className="sr-only">{other}</span>
      </Link>
    </div>
  );
}

function SortMenu({ value }: { value: string }) {
  const { pending, change } = useParamChange();
  const current = sortChoices.find((choice) => choice.value === value) ?? sortChoices[0];
  return (
    <Menu
      className="w-(--radix-dropdown-menu-trigger-width)"
      trigger={
        <Button
          size="sm"
          aria-label={`Sort by: ${current.label}`}
          aria-busy={pending}
          className="btn-choice w-full sm:w-44"
        >
          {current.label}
          <Icon name="chevron-down" className="text-muted" />
        </Button>
      }
    >
      <MenuRadioGroup
        value={current.value}
        onChange={(next) => {
          const [sort, order] = next.split('.');
          change({ sort, order });
        }}
      >
        {sortChoices.map((choice) => (
          <MenuRadioItem key={choice.value} value={choice.value}>
            {choice.label}
          </MenuRadioItem>
        ))}
      </MenuRadioGroup>
    </Menu>
  );
}

/** Selects the visible columns. Each change is saved to the account immediately. */
function ColumnsMenu({ columns }: Pick<ListToolsProps, 'columns'>) {
  const router = useRouter();
  const [chosen, setChosen] = useOptimistic(columns);
  const save = (next: readonly string[]) =>
    startTransition(async () => {
      setChosen(next);
      const keys = columnChoices.map(({ key }) => key).filter((key) => next.includes(key));
      try {
        await callAction(() => saveColumnsAction({ columns: keys })).catch(redirectIfSignedOut);
      } catch (cause) {
        if (!(cause instanceof ApiError)) throw cause;
        toast.error(cause.message || 'The columns were not saved. Try again.');
      }
      router.refresh();
    });
  return (
    <Menu
      trigger={
        <IconButton label="Columns">
          <Icon name="columns-3" />
        </IconButton>
      }
    >
      <MenuLabel>Website and price are always shown.</MenuLabel>
      {/* Two columns on phones, because one column exceeds the height of the screen. */}
      <div className="max-sm:grid max-sm:grid-cols-2">
        {columnChoices.map(({ key, label }) => (
          <MenuCheckboxItem
            key={key}
            checked={chosen.includes(key)}
            onChange={(checked) => save(checked ? [...chosen, key] : chosen.filter((one) => one !== key))}
          >
            {label}
          </MenuCheckboxItem>
        ))}
      </div>
      <MenuSeparator />
      <MenuItem onSelect={() => save(columnChoices.map(({ key }) => key))}>Show all columns</MenuItem>
    </Menu>
  );
}
