'use client';

import type { ReactNode } from 'react';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { DialogBody, DialogFooter } from '@/components/ui/dialog';
import type { OrderWords } from '../orders/order-failure';
import { OrderFailureAlert } from '../orders/order-failure-alert';
import { ProjectField } from '../projects/project-field';
import { type ProjectOption, useProjectChoice } from '../projects/use-project-choice';
import type { AddressedBasket } from './basket-address';
import { BasketList } from './basket-list';
import type { Selection } from './use-selection';
import { useSitesOrder } from './use-sites-order';

/** What an order of sites needs to know of its buyer. */
export type SitesOrderFacts = {
  userId: string;
  /** USD cents. */
  balanceCents: number;
  projects: readonly ProjectOption[];
  niches: readonly string[];
  postTypes: readonly string[];
};

type SitesOrderFormProps = SitesOrderFacts & {
  selection: Selection;
  words: OrderWords;
  /** The basket that the address brought back. */
  returned: AddressedBasket | null;
  /** The way out, left of the button that orders. */
  wayOut: (pending: boolean) => ReactNode;
  onDone: () => void;
};

/**
 * Body and footer of a dialog: the selection, the project it is for, and what it does to the wallet. The server reads
 * every price again. Mount it with each opening: another opening is another order.
 */
export function SitesOrderForm({ selection, words, returned, wayOut, onDone, ...facts }: SitesOrderFormProps) {
  const project = useProjectChoice(facts.projects, returned?.projectId ?? '');
  const order = useSitesOrder({ userId: facts.userId, selection, words, returned, onDone });
  const send = () => order.send(project);
  return (
    <>
      <DialogBody className="grid grid-cols-[minmax(0,1fr)] content-start gap-5">
        {order.failure ? <OrderFailureAlert failure={order.failure} onRetry={send} /> : null}
        {order.notice ? <Alert tone="warning">{order.notice}</Alert> : null}
        <ProjectField choice={project} niches={facts.niches} postTypes={facts.postTypes} onChange={order.forget} />
        <BasketList
          sites={order.sites}
          gone={order.gone}
          balanceCents={facts.balanceCents}
          onRemove={(id) => {
            selection.write(selection.sites.filter((site) => site.id !== id));
            order.forget();
          }}
        />
      </DialogBody>
      <DialogFooter>
        {wayOut(order.pending)}
        <Button variant="primary" pending={order.pending} onClick={send}>
          {words.submit}
        </Button>
      </DialogFooter>
    </>
  );
}
