'use client';

import { useEffect, useSyncExternalStore } from 'react';
import { toast } from 'sonner';
import { ApiError, callAction, redirectIfSignedOut } from '@/lib/browser/api-client';
import { pageAccount } from '@/lib/browser/page-account';
import { changeCartAction } from '@/lib/orders/carts/actions';
import type { CartState } from '@/lib/orders/carts/cart-sites';
import type { CartBriefInput } from '@/lib/orders/carts/contract';
import { setCartCount } from './cart-count';

type CartSite = CartState['sites'][number];

type Store = {
  subscribe: (listener: () => void) => () => void;
  read: () => CartState;
  /** Takes over a cart that the server has rendered, unless a later one is known. */
  adopt: (rendered: CartState) => void;
  change: (sites: readonly CartSite[], isWanted: boolean) => void;
  /** Resolves with the id of the cart when all changes are saved or undone. */
  settle: () => Promise<string | null>;
};

const hasSite = (sites: readonly CartSite[], id: number) => sites.some((site) => site.id === id);

const stores = new Map<string, Store>();

function storeOf(rendered: CartState): Store {
  const key = `${rendered.accountId} ${rendered.projectId}`;
  const known = stores.get(key);
  if (known) return known;
  const created = createStore(rendered);
  stores.set(key, created);
  return created;
}

/**
 * Holds a cart: as saved last, and the changes that are shown before they are saved. Changes made during a save follow
 * it in one request.
 */
function createStore(rendered: CartState): Store {
  let saved = rendered;
  let shown = rendered;
  /** The changes by site id: the site to add, or null to remove it. */
  const wanted = new Map<number, CartSite | null>();
  /** The briefs of removed sites, which return with them. */
  const briefs = new Map<number, CartBriefInput>();
  const listeners = new Set<() => void>();
  let saving: Promise<void> | null = null;

  const show = () => {
    const kept = saved.sites.filter(({ id }) => wanted.get(id) !== null);
    const added = [...wanted.values()].filter((site) => site !== null).filter((site) => !hasSite(kept, site.id));
    shown = { ...saved, sites: [...kept, ...added] };
    if (shown.cartId) setCartCount(shown.cartId, shown.sites.length);
    for (const listener of listeners) listener();
  };

  const save = (sent: ReadonlyMap<number, CartSite | null>) => {
    const add = [...sent].flatMap(([id, site]) => (site ? [{ siteId: id, brief: briefs.get(id) }] : []));
    const remove = [...sent].flatMap(([id, site]) => (site ? [] : [id]));
    return callAction(() => changeCartAction({ projectId: saved.projectId, add, remove }, pageAccount())).catch(
      redirectIfSignedOut,
    );
  };

  const saveAll = async () => {
    while (wanted.size > 0) {
      const sent = new Map(wanted);
      try {
        const { removed, refusal, ...cart } = await save(sent);
        if (refusal) toast.info(refusal);
        for (const { siteId, brief } of removed) briefs.set(siteId, brief);
        saved = { ...saved, ...cart };
      } catch (cause) {
        // The changes are undone as after a refusal, and the Checkout button stops waiting.
        if (!(cause instanceof ApiError)) reportError(cause);
        const { status, message } = cause instanceof ApiError ? cause : new ApiError(0, '');
        toast.error(message || ([401, 403].includes(status) ? 'Auth failed' : 'The cart wasn’t saved. Try again.'));
      }
      // What changed during the save is saved next.
      for (const [id, site] of sent) if (wanted.get(id) === site) wanted.delete(id);
      show();
    }
  };

  return {
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    read: () => shown,
    adopt: (next) => {
      if (next === saved || next.readAt < saved.readAt) return;
      saved = next;
      show();
    },
    change: (sites, isWanted) => {
      for (const site of sites) wanted.set(site.id, isWanted ? site : null);
      show();
      saving ??= saveAll().finally(() => {
        saving = null;
      });
    },
    settle: async () => {
      await saving;
      return saved.cartId;
    },
  };
}

export type Cart = CartState & {
  has: (id: number) => boolean;
  add: (sites: readonly CartSite[]) => void;
  remove: (sites: readonly CartSite[]) => void;
  settle: Store['settle'];
};

/** Returns the cart of the current project. Its changes are shown at once, and saved to the account. */
export function useCart(rendered: CartState): Cart {
  const store = storeOf(rendered);
  const cart = useSyncExternalStore(store.subscribe, store.read, () => rendered);
  useEffect(() => store.adopt(rendered), [store, rendered]);
  return {
    ...cart,
    has: (id) => hasSite(cart.sites, id),
    add: (sites) => store.change(sites, true),
    remove: (sites) => store.change(sites, false),
    settle: store.settle,
  };
}
