'use client';

import { type ReactNode, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { type SitesOrderFacts, SitesOrderForm } from '@/components/sites/sites-order-form';
import { useBasketAddress } from '@/components/sites/use-basket-address';
import { useSelection } from '@/components/sites/use-selection';
import { RecordDialog } from '@/components/table/record-dialog';
import { Button } from '@/components/ui/button';
import { ordersWords } from './orders-words';
import { type PickerList, SitePicker } from './site-picker';
import { useAfterOrder } from './use-after-order';

type BuildCustomDialogProps = {
  closeHref: string;
  facts: SitesOrderFacts;
  /** The sites of this page of the list; null when there are none. */
  table: ReactNode;
  list: PickerList;
};

/**
 * Build Custom: first the sites, then the project and the sum. The selection is the marketplace's: what is ticked there
 * is ticked here.
 */
export function BuildCustomDialog({ closeHref, facts, table, list }: BuildCustomDialogProps) {
  const selection = useSelection(facts.userId);
  const returned = useBasketAddress();
  const [isReviewing, setIsReviewing] = useState(returned !== null);
  const step = useRef<HTMLDivElement>(null);
  const after = useAfterOrder();

  /** To the other step, whose first field then has the focus. */
  const go = (toReview: boolean) => {
    flushSync(() => setIsReviewing(toReview));
    step.current?.querySelector<HTMLElement>('input, select')?.focus();
  };

  return (
    <RecordDialog
      title="Build Custom"
      description="Choose the sites yourself. Each becomes an order of its own, paid from your wallet."
      closeHref={closeHref}
      size={isReviewing ? 'lg' : '2xl'}
    >
      <div ref={step} className="contents">
        {isReviewing ? (
          <SitesOrderForm
            {...facts}
            selection={selection}
            words={ordersWords}
            returned={returned}
            wayOut={(pending) => (
              <Button disabled={pending} onClick={() => go(false)}>
                Back to the sites
              </Button>
            )}
            onDone={after.done}
          />
        ) : (
          <SitePicker list={list} balanceCents={facts.balanceCents} selection={selection} onContinue={() => go(true)}>
            {table}
          </SitePicker>
        )}
      </div>
    </RecordDialog>
  );
}
