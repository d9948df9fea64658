'use client';

import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { describePlaced, requestedText, requestPath, type SentOrder } from '@/components/orders/send-order';
import { Alert } from '@/components/ui/alert';
import { Button, ButtonLink, IconButton } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { Icon } from '@/components/ui/icon';
import type { CartSnapshot, MergeNotice } from './cart-editor';

const states: Readonly<Record<CartSnapshot['state'], string>> = {
  saved: 'All changes saved',
  unsaved: 'Unsaved changes',
  saving: 'Saving…',
  failed: 'Not saved',
};

/** Renders whether the cart is saved. */
export function SaveState({ state, onSave }: { state: CartSnapshot['state']; onSave: () => void }) {
  return (
    <div className="flex items-center gap-2 text-sm">
      <p className={state === 'failed' ? 'text-red-ink' : 'text-muted'}>{states[state]}</p>
      {state === 'failed' ? (
        <Button size="sm" onClick={onSave}>
          Save now
        </Button>
      ) : null}
    </div>
  );
}

type MergedAlertProps = {
  notice: MergeNotice;
  nameOf: (siteId: number) => string;
  onPutBack: () => void;
  onDismiss: () => void;
};

/** Lists the changes of another tab or device, and offers to return the sites removed there. */
export function MergedAlert({ notice: { added, removed, disputed }, nameOf, onPutBack, onDismiss }: MergedAlertProps) {
  const list = (siteIds: readonly number[]) => siteIds.map(nameOf).join(', ');
  return (
    <Alert
      tone="warning"
      title="This cart was changed in another tab or on another device"
      action={
        <IconButton label="Dismiss" onClick={onDismiss} className="text-current">
          <Icon name="x" />
        </IconButton>
      }
    >
      {added.length > 0 ? <p>Added there: {list(added)}.</p> : null}
      {removed.length > 0 ? <p>Removed there: {list(removed.map(({ siteId }) => siteId))}.</p> : null}
      {disputed.length > 0 ? <p>Changed there and here, and yours is kept: {list(disputed)}.</p> : null}
      {removed.length > 0 ? (
        <Button size="sm" className="mt-2" onClick={onPutBack}>
          Put back what was removed
        </Button>
      ) : null}
    </Alert>
  );
}

/** Shows the orders that were placed, or the request for them, with a link that receives the focus. */
export function OrderedNote({ sent: { placed, requestId } }: { sent: SentOrder }) {
  const link = useFocusOnMount();
  return (
    <section
      aria-label="Ordered"
      className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-line-strong bg-surface px-4 py-3"
    >
      <Icon name="circle-check" className="text-green-ink" />
      <p className="min-w-0 text-ink text-sm">{requestId === null ? describePlaced(placed) : requestedText}</p>
      <ButtonLink
        ref={link}
        href={requestId === null ? '/user/orders' : requestPath(requestId)}
        size="sm"
        variant="primary"
        className="ml-auto"
      >
        {requestId === null ? 'View orders' : 'View request'}
      </ButtonLink>
    </section>
  );
}

function useFocusOnMount(): RefObject<HTMLAnchorElement | null> {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => link.current?.focus(), []);
  return link;
}

/** Renders a cart without sites, with the way to the marketplace. @param props.children further actions */
export function EmptyCart({ children }: { children: ReactNode }) {
  return (
    <div className="mt-3 rounded-lg border border-line bg-surface">
      <EmptyState
        icon={<Icon name="shopping-cart" />}
        title="No site selected."
        action={
          <>
            {children}
            <ButtonLink href="/user/marketplace" variant="primary">
              Open the marketplace
            </ButtonLink>
          </>
        }
      >
        Select sites in the marketplace. They are collected here until you order them.
      </EmptyState>
    </div>
  );
}
