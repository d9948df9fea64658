'use client';

import dynamic from 'next/dynamic';
import { useSearchParams } from 'next/navigation';
import { useEffect, useState } from 'react';
import { retryChunk } from '@/components/ui/retry-chunk';
import { projectParam } from './basket-url';
import type { SitesOrderFacts } from './sites-order-form';
import { useOrdering, useSelection } from './use-selection';

const SelectionPanel = dynamic(
  retryChunk(() => import('./selection-panel').then((module) => module.SelectionPanel)),
  { ssr: false },
);

/**
 * The number of selected sites over all pages and their total, at the bottom of the screen while sites are selected.
 */
export function SelectionBar(facts: SitesOrderFacts) {
  const selection = useSelection(facts.userId);
  const [, setOrdering] = useOrdering(facts.userId);

  // The dialog does not open again on the next visit.
  useEffect(() => () => setOrdering(false), [setOrdering]);

  // Mounted from the first selection on, or for a basket in the URL. It stays mounted, because an order empties the
  // selection and still shows a message.
  const isReturning = useSearchParams().has(projectParam);
  const [isWanted, setIsWanted] = useState(isReturning);
  if (!isWanted && selection.sites.length > 0) setIsWanted(true);
  if (!isWanted) return null;
  return <SelectionPanel {...facts} selection={selection} />;
}
