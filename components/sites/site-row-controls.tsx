'use client';

import { Eye, EyeOff, Star } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { createContext, type ReactNode, use, useEffect, useRef, useState } from 'react';
import { toast } from 'sonner';
import { toastWithUndo } from '@/components/ui/toast-with-undo';
import { ApiError, callAction, redirectIfSignedOut } from '@/lib/browser/api-client';
import { pageAccount } from '@/lib/browser/page-account';
import type { CartState } from '@/lib/orders/carts/cart-sites';
import type { ActionResult } from '@/lib/platform/http/action';
import type { MarketplaceRow } from '@/lib/sites/views';
import styles from './site-table.module.css';
import { useCart } from './use-cart';

type Mark = { siteId: number; kind: 'favourite' | 'hidden'; on: boolean };
export type MarkSite = (mark: Mark, accountId: string | undefined) => Promise<ActionResult<void>>;

type ListedSite = Pick<MarketplaceRow, 'id' | 'name' | 'usdCents'> & { isFavourite: boolean };

type TableState = {
  sites: ReadonlyMap<number, ListedSite>;
  /** The sites of this page that are in the cart. */
  selected: ReadonlySet<number>;
  isReadOnly: boolean;
  /** The site whose favourite or hidden state is being saved. */
  busy: number | null;
  areHidden: boolean;
  select: (ids: readonly number[], isSelected: boolean) => void;
  star: (id: number) => Promise<void>;
  hide: (id: number) => Promise<void>;
};

const TableContext = createContext<TableState | null>(null);

function useTable(): TableState {
  const state = use(TableContext);
  if (!state) throw new Error('Row controls must be rendered inside a SiteTableFrame.');
  return state;
}

const toastMs = 2800;

type SiteTableFrameProps = Pick<TableState, 'areHidden'> & {
  sites: readonly ListedSite[];
  /** The cart of the current project. */
  cart: CartState;
  view: 'table' | 'cards';
  markSite: MarkSite;
  /** Caption, head and body of the table. */
  children: ReactNode;
};

/** Renders the `<table>` of sites with the state that its rows' controls share: cart, favourites, hidden sites. */
export function SiteTableFrame(props: SiteTableFrameProps) {
  const { sites, view, areHidden, markSite, children } = props;
  const router = useRouter();
  const cart = useCart(props.cart);
  const [busy, setBusy] = useState<number | null>(null);
  /** The favourites saved since these sites were rendered. */
  const [starred, setStarred] = useState<{ of: unknown; on: ReadonlyMap<number, boolean> }>({
    of: sites,
    on: new Map(),
  });
  const table = useRef<HTMLTableElement>(null);
  /** The index of the row that had the focus and is being removed. */
  const leaving = useRef<number>(undefined);
  const listed = new Map(
    sites.map((site) => {
      const isFavourite = (starred.of === sites ? starred.on.get(site.id) : undefined) ?? site.isFavourite;
      return [site.id, { ...site, isFavourite }];
    }),
  );

  // After a row was removed, moves the focus to the row in its place.
  useEffect(() => {
    if (leaving.current === undefined || sites.length === 0) return;
    const index = Math.min(leaving.current, sites.length - 1);
    leaving.current = undefined;
    table.current?.tBodies[0]?.rows[index]?.querySelector<HTMLElement>('[data-placement="hide"] button')?.focus();
  }, [sites]);

  const select = (ids: readonly number[], isSelected: boolean) => {
    const chosen = sites.filter(({ id }) => ids.includes(id));
    if (isSelected) cart.add(chosen.map(({ id, usdCents }) => ({ id, usdCents })));
    else cart.remove(chosen);
  };

  /** Saves one change at a time, so that a double click saves once. @returns whether the change was saved */
  const mark = async (next: Mark): Promise<boolean> => {
    if (busy !== null) return false;
    setBusy(next.siteId);
    try {
      await callAction(() => markSite(next, pageAccount())).catch(redirectIfSignedOut);
      router.refresh();
      return true;
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      toast.error(cause.message || 'Your change wasn’t saved. Try again.', { duration: toastMs });
      return false;
    } finally {
      setBusy(null);
    }
  };

  const star = async (id: number) => {
    const on = !listed.get(id)?.isFavourite;
    if (!(await mark({ siteId: id, kind: 'favourite', on }))) return;
    setStarred((before) => ({ of: sites, on: new Map(before.of === sites ? before.on : []).set(id, on) }));
  };

  const hide = async (id: number) => {
    const name = listed.get(id)?.name;
    const on = !areHidden;
    leaving.current = sites.findIndex((site) => site.id === id);
    if (!(await mark({ siteId: id, kind: 'hidden', on }))) {
      leaving.current = undefined;
      return;
    }
    toastWithUndo(on ? `${name} is hidden` : `${name} is shown again`, () => {
      void mark({ siteId: id, kind: 'hidden', on: !on });
    });
    if (cart.has(id)) select([id], false);
  };

  const selected = new Set([...listed.keys()].filter(cart.has));
  const { isReadOnly } = cart;
  return (
    <table ref={table} className={styles.table} data-view={view} data-hidden={areHidden || undefined}>
      <TableContext value={{ sites: listed, selected, isReadOnly, busy, areHidden, select, star, hide }}>
        {children}
      </TableContext>
    </table>
  );
}

/** Renders the header checkbox, which adds all sites of the page to the cart. */
export function SelectAll() {
  const { sites, selected, isReadOnly, select } = useTable();
  return (
    <input
      type="checkbox"
      aria-label="Select all rows of this page"
      checked={selected.size === sites.size}
      disabled={isReadOnly}
      ref={(box) => {
        if (box) box.indeterminate = selected.size > 0 && selected.size < sites.size;
      }}
      onChange={(event) => select([...sites.keys()], event.target.checked)}
    />
  );
}

/** Renders the checkbox that adds a site to the cart. */
export function SelectSite({ id }: { id: number }) {
  const { sites, selected, isReadOnly, select } = useTable();
  return (
    <input
      type="checkbox"
      aria-label={`Select ${sites.get(id)?.name}`}
      checked={selected.has(id)}
      disabled={isReadOnly}
      onChange={(event) => select([id], event.target.checked)}
    />
  );
}

/** Renders the button that adds a site to the favourites or removes it. */
export function SiteStar({ id }: { id: number }) {
  const { sites, busy, star } = useTable();
  const site = sites.get(id);
  return (
    <button
      type="button"
      aria-label={`Favorite ${site?.name}`}
      aria-pressed={site?.isFavourite ?? false}
      data-busy={busy === id || undefined}
      onClick={() => void star(id)}
    >
      <Star aria-hidden="true" />
    </button>
  );
}

/** Renders the button that hides a site or unhides it. */
export function SiteHide({ id }: { id: number }) {
  const { sites, areHidden, hide } = useTable();
  return (
    <button
      type="button"
      aria-label={`${areHidden ? 'Show' : 'Hide'} ${sites.get(id)?.name}`}
      onClick={() => void hide(id)}
    >
      {areHidden ? <Eye aria-hidden="true" /> : <EyeOff aria-hidden="true" />}
    </button>
  );
}
