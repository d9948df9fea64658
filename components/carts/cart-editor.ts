import { toast } from 'sonner';
import { ApiError, apiFetch, redirectIfSignedOut } from '@/lib/browser/api-client';
import type { Cart, CartItem } from '@/lib/orders/carts/contract';
import {
  type CartRow,
  change,
  isSame,
  type Merge,
  mergeRows,
  type RowHistory,
  redo,
  startHistory,
  toItems,
  toRow,
  undo,
} from './cart-rows';

/** Changes made elsewhere while this tab edited the cart. */
export type MergeNotice = Pick<Merge, 'added' | 'removed' | 'disputed'>;

export type CartSnapshot = {
  /** The cart as the server answered last: its version, prices, states and notes. */
  cart: Cart;
  /** Every site of the cart since the page opened, by id; a removed one can return. */
  items: ReadonlyMap<number, CartItem>;
  history: RowHistory;
  /** The rows that the server has. */
  saved: readonly CartRow[];
  state: 'saved' | 'unsaved' | 'saving' | 'failed';
  /** The rows that are being saved; null while none are. */
  sending: readonly CartRow[] | null;
  /** Why the last save failed. */
  error: string | null;
  notice: MergeNotice | null;
};

export type CartEditor = {
  subscribe: (listener: () => void) => () => void;
  get: () => CartSnapshot;
  setRows: (rows: readonly CartRow[]) => void;
  undo: () => void;
  redo: () => void;
  /** Saves at once. @returns whether the server has the rows */
  save: () => Promise<boolean>;
  /** Reads the cart again, and merges the unsaved changes into it. */
  reload: () => Promise<void>;
  /** As `reload`, and tells a failure in the snapshot. */
  refresh: () => Promise<boolean>;
  /** Reads the cart again after its order, which has emptied it. */
  restart: () => Promise<void>;
  dismissNotice: () => void;
  /** Sends unsaved rows while the page unloads. */
  flush: () => void;
};

export const cartPath = (id: string) => `/api/user/carts/${id}`;

/** The pause after an edit before it is saved. */
const pauseMs = 800;
/** The pause before a save that got no answer is repeated. */
const retryMs = 5_000;
/** Another tab that saves all the time. */
const maxMerges = 5;
/** Browsers send at most 64 KB while a page unloads. */
const maxUnloadBytes = 60_000;

/** The newest answer by cart, for a page that the browser restores with an older one. */
const newest = new Map<string, Cart>();

/** Creates the state of a cart in this tab. It saves edits after a pause, and merges what was saved elsewhere. */
export function createCartEditor(given: Cart): CartEditor {
  const known = newest.get(given.id);
  const cart = known && known.version > given.version ? known : given;
  const rows = cart.items.map(toRow);
  let snapshot: CartSnapshot = {
    cart,
    items: byId(cart.items),
    history: startHistory(rows),
    saved: rows,
    state: 'saved',
    sending: null,
    error: null,
    notice: null,
  };
  const listeners = new Set<() => void>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: Promise<boolean> | null = null;

  const set = (changes: Partial<CartSnapshot>) => {
    snapshot = { ...snapshot, ...changes };
    for (const listener of listeners) listener();
  };
  const isDirty = () => !isSame(snapshot.saved, snapshot.history.rows);
  const saveIn = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => void save(), ms);
  };
  const edit = (history: RowHistory) => {
    if (history.rows === snapshot.history.rows) return;
    set({ history, state: 'unsaved' });
    saveIn(pauseMs);
  };
  const accept = (answer: Cart, saved: readonly CartRow[]) => {
    newest.set(answer.id, answer);
    set({ cart: answer, items: new Map([...snapshot.items, ...byId(answer.items)]), saved });
  };

  const save = () => {
    clearTimeout(timer);
    running ??= saveAll().finally(() => {
      running = null;
      if (snapshot.sending) set({ sending: null });
    });
    return running;
  };

  async function saveAll(): Promise<boolean> {
    for (let merges = 0; isDirty(); ) {
      const sent = snapshot.history.rows;
      set({ state: 'saving', sending: sent, error: null });
      try {
        accept(await apiFetch<Cart>(`${cartPath(cart.id)}/items`, toRequest(snapshot)), sent);
      } catch (cause) {
        if (!(cause instanceof ApiError)) throw cause;
        const refused = findRefused(cause, sent);
        if (refused.length > 0) {
          drop(refused);
          continue;
        }
        if (cause.status === 409 && merges < maxMerges) {
          merges += 1;
          if (await tryReload()) continue;
        } else {
          fail(cause);
        }
        return false;
      }
    }
    set({ state: 'saved', error: null });
    return true;
  }

  /** Removes sites that returned by an undo and left the sale since. */
  const drop = (siteIds: readonly number[]) => {
    const { history, items } = snapshot;
    const rows = history.rows.filter(({ siteId }) => !siteIds.includes(siteId));
    set({ history: { ...history, rows } });
    const names = siteIds.map((id) => items.get(id)?.name ?? `Site #${id}`).join(', ');
    toast.warning(`${names}: no longer on sale, and not put back.`);
  };

  const fail = ({ status, message }: ApiError) => {
    const isTemporary = status === 0 || status === 429 || status >= 500;
    set({ state: 'failed', error: message || (status === 0 ? 'No connection to the server.' : `HTTP ${status}`) });
    if (isTemporary) saveIn(retryMs);
  };

  const tryReload = async () => {
    try {
      await reload();
      return true;
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      fail(cause);
      return false;
    }
  };

  async function reload(): Promise<void> {
    const answer = await apiFetch<Cart>(cartPath(cart.id)).catch(redirectIfSignedOut);
    const theirs = answer.items.map(toRow);
    const base = snapshot.saved;
    const { past, rows: mine, future } = snapshot.history;
    const { rows: merged, ...notice } = mergeRows(base, mine, theirs);
    // The steps too, so that undoing one does not take back what was changed elsewhere.
    const rebase = (steps: RowHistory['past']) => steps.map((step) => mergeRows(base, step, theirs).rows);
    accept(answer, theirs);
    const isTold = [notice.added, notice.removed, notice.disputed].some((list) => list.length > 0);
    set({
      history: { rows: merged, past: rebase(past), future: rebase(future) },
      ...(isTold && { notice }),
    });
    if (!isDirty()) set({ state: 'saved', error: null });
    else if (!running) saveIn(0);
  }

  return {
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    get: () => snapshot,
    setRows: (next) => edit(change(snapshot.history, next)),
    undo: () => edit(undo(snapshot.history)),
    redo: () => edit(redo(snapshot.history)),
    save,
    reload,
    refresh: tryReload,
    restart: async () => {
      const answer = await apiFetch<Cart>(cartPath(cart.id)).catch(redirectIfSignedOut);
      const left = answer.items.map(toRow);
      accept(answer, left);
      set({ history: startHistory(left), state: 'saved', error: null, notice: null });
    },
    dismissNotice: () => set({ notice: null }),
    flush: () => {
      if (!isDirty() || running) return;
      clearTimeout(timer);
      void apiFetch(`${cartPath(cart.id)}/items`, toRequest(snapshot)).catch(() => undefined);
    },
  };
}

/** Finds the rows that the server does not add, because their sites are not on sale. */
const findRefused = ({ status, fields }: ApiError, sent: readonly CartRow[]): number[] =>
  status !== 400
    ? []
    : Object.keys(fields).flatMap((field) => {
        const index = /^items\.(\d+)\.siteId$/.exec(field)?.[1];
        return sent[Number(index ?? -1)]?.siteId ?? [];
      });

const byId = (items: readonly CartItem[]) => new Map(items.map((item) => [item.siteId, item]));

function toRequest(snapshot: CartSnapshot) {
  const body = toBody(snapshot);
  // A save that is under way when the page unloads is completed.
  return { method: 'PUT' as const, body, keepalive: isSentOnUnload(body) };
}

const toBody = ({ cart, history }: CartSnapshot) => ({ items: toItems(history.rows), version: cart.version });

const isSentOnUnload = (body: unknown) => new Blob([JSON.stringify(body)]).size <= maxUnloadBytes;

/**
 * Checks whether unloading the page would lose edits: the last save failed, they are too large to send on unload, or
 * they were made during a save, which they have to follow.
 */
export function wouldLoseEdits(snapshot: CartSnapshot): boolean {
  const { saved, history, state, sending } = snapshot;
  if (isSame(saved, history.rows)) return false;
  const isFollowing = sending !== null && !isSame(sending, history.rows);
  return state === 'failed' || isFollowing || !isSentOnUnload(toBody(snapshot));
}
