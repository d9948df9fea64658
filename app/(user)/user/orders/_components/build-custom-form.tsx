'use client';

import { useState } from 'react';
import { type SitesOrderFacts, SitesOrderForm } from '@/components/sites/sites-order-form';
import { useBasketAddress } from '@/components/sites/use-basket-address';
import { useSelection } from '@/components/sites/use-selection';
import type { MarkSite } from '@/components/sites/use-site-marks';
import { Button } from '@/components/ui/button';
import { ordersWords } from './orders-words';
import { type PickerList, SitePicker } from './site-picker';
import { useAfterOrder } from './use-after-order';

export type BuildCustomFormProps = {
  facts: SitesOrderFacts;
  /** How many sites one order takes. */
  maxSelected: number;
  markSite: MarkSite;
  list: PickerList;
};

/** First the sites, then the project and the sum. The selection is the marketplace's: what is ticked there is ticked here. */
export function BuildCustomForm({ facts, maxSelected, markSite, list }: BuildCustomFormProps) {
  const selection = useSelection(facts.userId);
  const returned = useBasketAddress();
  const [isReviewing, setIsReviewing] = useState(returned !== null);
  const after = useAfterOrder();
  if (!isReviewing) {
    return (
      <SitePicker
        list={list}
        userId={facts.userId}
        balanceCents={facts.balanceCents}
        selection={selection}
        maxSelected={maxSelected}
        markSite={markSite}
        onContinue={() => setIsReviewing(true)}
      />
    );
  }
  return (
    <SitesOrderForm
      {...facts}
      selection={selection}
      words={ordersWords}
      returned={returned}
      wayOut={(pending) => (
        <Button disabled={pending} onClick={() => setIsReviewing(false)}>
          Back to the sites
        </Button>
      )}
      onDone={after.done}
    />
  );
}
