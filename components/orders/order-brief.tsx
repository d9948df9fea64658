'use client';

import dynamic from 'next/dynamic';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { retryChunk } from '@/components/ui/retry-chunk';
import { BriefCard, type BriefView } from './brief-card';

const EditBriefDialog = dynamic(
  retryChunk(() => import('./edit-brief-dialog').then((module) => module.EditBriefDialog)),
  { ssr: false },
);

type OrderBriefProps = {
  orderId: number;
  /** Null for an order without a brief. */
  brief: BriefView | null;
  /** Whether the buyer can change it: until the order is accepted. */
  isEditable: boolean;
  /** Whether the site publishes Dofollow links; true for a package. */
  follow: boolean;
};

/** Renders the brief of the buyer's own order, with the dialog that edits it. */
export function OrderBrief({ orderId, brief, isEditable, follow }: OrderBriefProps) {
  const [open, setOpen] = useState(false);
  const [isWanted, setWanted] = useState(false);
  if (!brief && !isEditable) return null;
  if (open && !isWanted) setWanted(true);
  const button = (
    <Button
      size="sm"
      icon={brief ? <Icon name="pencil" className="size-3.5" /> : null}
      className={brief ? undefined : 'justify-self-start'}
      aria-haspopup="dialog"
      onClick={() => setOpen(true)}
    >
      {brief ? 'Edit' : 'Add a brief'}
    </Button>
  );
  return (
    <>
      {brief ? (
        <BriefCard
          brief={brief}
          articleHref={`/api/orders/${orderId}/brief/article`}
          follow={follow}
          actions={isEditable ? button : null}
        />
      ) : (
        button
      )}
      {isWanted ? <EditBriefDialog {...{ orderId, brief, follow }} open={open} onOpenChange={setOpen} /> : null}
    </>
  );
}
