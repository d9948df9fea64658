'use client';

import dynamic from 'next/dynamic';
import { useSearchParams } from 'next/navigation';
import { useState } from 'react';
import { retryChunk } from '@/components/ui/retry-chunk';
import { projectParam } from './basket-address';
import type { SitesOrderFacts } from './sites-order-form';
import { useSelection } from './use-selection';

const SelectionPanel = dynamic(
  retryChunk(() => import('./selection-panel').then((module) => module.SelectionPanel)),
  { ssr: false },
);

/** What is ticked over all pages and what it costs, at the bottom of the screen while anything is. */
export function SelectionBar(facts: SitesOrderFacts) {
  const selection = useSelection(facts.userId);

  // Wanted from the first tick, or for a basket that the address brings back. It stays from then on: an order that
  // empties the selection still has something to say.
  const isReturning = useSearchParams().has(projectParam);
  const [isWanted, setIsWanted] = useState(isReturning);
  if (!isWanted && selection.sites.length > 0) setIsWanted(true);
  if (!isWanted) return null;
  return <SelectionPanel {...facts} selection={selection} />;
}
