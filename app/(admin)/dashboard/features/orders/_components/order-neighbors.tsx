'use client';

import { ChevronDown, ChevronUp } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useEffect, useRef, useState, useTransition } from 'react';
import { setPendingHref } from '@/components/table/use-param-change';
import { IconButton } from '@/components/ui/button';

type Neighbor = { id: number; href: string } | null;
type Direction = 'previous' | 'next';
/** The orders before and after an order in the list; null at its ends, and for an order that is not in it. */
export type Neighbors = Record<Direction, Neighbor>;

/** The button that opened the dialog, which then keeps the focus. */
let arrivedBy: Direction | null = null;

/**
 * The steps from an order to its neighbors. They are those of the first rendering: a saved order may leave the list, and
 * its neighbors remain.
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
      {direction === 'previous' ? <ChevronUp className="size-4" /> : <ChevronDown className="size-4" />}
    </IconButton>
  );
  return (
    <>
      {button('previous', 'Previous order')}
      {button('next', 'Next order')}
    </>
  );
}
