'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore, useTransition } from 'react';
import { readStored, writeStored } from '@/components/shell/browser-storage';
import { setPendingHref } from '@/components/table/use-param-change';
import { IconButton } from '@/components/ui/button';
import { Dialog, DialogBody } from '@/components/ui/dialog';
import { Icon } from '@/components/ui/icon';
import { isSingleKey, Kbd } from '@/components/ui/keyboard';
import { Switch } from '@/components/ui/switch';
import { orderRowAttribute } from './orders-table';

const keys = [
  ['j', 'Next order'],
  ['k', 'Previous order'],
  ['e', 'View / Edit the order'],
  ['x', 'Select the order, or clear its selection'],
  ['/', 'Search'],
  ['?', 'Show these keys'],
] as const;

const storageKey = 'order_keys';
const listeners = new Set<() => void>();
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
const isTurnedOn = () => readStored(storageKey) !== '0';

/**
 * Handles the keys of the order list, and renders the dialog that describes them. They move the focus between the rows,
 * and do nothing in fields and while a dialog is open. Speech input may type single letters, so users can turn them off.
 */
export function OrderKeys() {
  const [open, setOpen] = useState(false);
  const isOn = useSyncExternalStore(subscribe, isTurnedOn, () => true);
  useRowKeys(isOn, () => setOpen(true));
  return (
    <>
      <IconButton label="Keyboard shortcuts" onClick={() => setOpen(true)} className="max-md:hidden">
        <Icon name="keyboard" />
      </IconButton>
      <Dialog open={open} onOpenChange={setOpen} title="Keyboard shortcuts" size="sm">
        <DialogBody className="grid gap-5">
          <dl className="grid gap-2 text-sm">
            {keys.map(([key, text]) => (
              <div key={key} className="flex items-center justify-between gap-4">
                <dt className="order-last">
                  <Kbd>{key}</Kbd>
                </dt>
                <dd className="text-ink">{text}</dd>
              </div>
            ))}
          </dl>
          <Switch
            label="Use j, k, e, x and ? in this browser"
            checked={isOn}
            onCheckedChange={(on) => {
              writeStored(storageKey, on ? '1' : '0');
              for (const listener of listeners) listener();
            }}
          />
        </DialogBody>
      </Dialog>
    </>
  );
}

function useRowKeys(isOn: boolean, showKeys: () => void) {
  // The row that had the focus last, to continue from after a dialog or a click elsewhere.
  const last = useRef<string>(null);
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!isSingleKey(event)) return;
    if (event.key === '?') {
      event.preventDefault();
      showKeys();
      return;
    }
    const rows = [...document.querySelectorAll<HTMLElement>(`[${orderRowAttribute}]`)];
    const focused = document.activeElement?.closest<HTMLElement>(`[${orderRowAttribute}]`);
    const at = rows.findIndex((row) => (focused ? row === focused : nameOf(row) === last.current));
    const row = rows[targetOf(event.key, at, rows.length)];
    if (!row) return;
    event.preventDefault();
    last.current = nameOf(row);
    const link = row.querySelector<HTMLElement>('td[data-key="edit"] a');
    if (event.key === 'e') link?.click();
    else if (event.key === 'x') row.querySelector<HTMLElement>('input[type="checkbox"]')?.click();
    link?.focus({ preventScroll: true });
    row.scrollIntoView({ block: 'nearest' });
  });
  useEffect(() => {
    if (!isOn) return;
    const listen = (event: KeyboardEvent) => onKey(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [isOn]);
}

const nameOf = (row: HTMLElement) => row.getAttribute(orderRowAttribute);

/** Returns the index of the row on which a key acts; -1 for another key. @param at the current row; -1 for none */
function targetOf(key: string, at: number, count: number): number {
  switch (key) {
    case 'j':
      return Math.min(at + 1, count - 1);
    case 'k':
      return Math.max(at - 1, 0);
    case 'e':
    case 'x':
      return Math.max(at, 0);
    default:
      return -1;
  }
}

type Neighbor = { id: number; href: string } | null;
type Direction = 'previous' | 'next';
/** The orders before and after an order in the list; null at its ends, and for an order that is not in it. */
export type Neighbors = Record<Direction, Neighbor>;

/** The button that opened the dialog, which then keeps the focus. */
let arrivedBy: Direction | null = null;

/**
 * Returns the steps from an order to its neighbors. They are those of the first rendering: a saved order may leave the
 * list, and its neighbors remain.
 */
export function useNeighbors(current: Neighbors) {
  const [neighbors] = useState(current);
  const [direction] = useState(arrivedBy);
  const buttons = { previous: useRef<HTMLButtonElement>(null), next: useRef<HTMLButtonElement>(null) };
  useEffect(() => {
    arrivedBy = null;
  }, []);
  // A disabled button cannot have the focus.
  const kept = direction && (neighbors[direction] ? direction : direction === 'next' ? 'previous' : 'next');
  return { neighbors, buttons, ...(kept && { arrivedAt: buttons[kept] }) };
}

type OrderNeighborsProps = {
  steps: ReturnType<typeof useNeighbors>;
  /** Leaves the order, unless the user keeps unsaved changes. */
  leaveBy: (go: () => void) => void;
};

/** Opens the previous or the next order of the list. The URL is replaced, so that Back leads to the list. */
export function OrderNeighbors({ steps: { neighbors, buttons }, leaveBy }: OrderNeighborsProps) {
  const router = useRouter();
  const [pending, startTransition] = useTransition();
  const [going, setGoing] = useState<Direction | null>(null);
  if (!neighbors.previous && !neighbors.next) return null;

  const open = (direction: Direction) => {
    const neighbor = neighbors[direction];
    if (!neighbor) return;
    leaveBy(() => {
      arrivedBy = direction;
      setGoing(direction);
      setPendingHref(neighbor.href);
      startTransition(() => router.replace(neighbor.href, { scroll: false }));
    });
  };
  const button = (direction: Direction, label: string) => (
    <IconButton
      ref={buttons[direction]}
      label={label}
      disabled={neighbors[direction] === null}
      pending={pending && going === direction}
      onClick={() => open(direction)}
    >
      {direction === 'previous' ? <Icon name="chevron-up" /> : <Icon name="chevron-down" />}
    </IconButton>
  );
  return (
    <>
      {button('previous', 'Previous order')}
      {button('next', 'Next order')}
    </>
  );
}
