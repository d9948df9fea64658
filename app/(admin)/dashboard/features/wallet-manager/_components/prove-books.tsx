'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { toast } from '@/components/ui/toast';
import { proveBooksAction } from '../actions';
import { orFail } from './or-fail';

/** Runs the proof now. */
export function ProveBooks() {
  const router = useRouter();
  const [pending, setPending] = useState(false);
  const run = async () => {
    setPending(true);
    try {
      const { isSound } = await orFail(proveBooksAction({}));
      if (isSound) toast.success('The books are sound.');
      else toast.error('The books do not add up: see what is broken.');
      router.refresh();
    } catch (cause) {
      toast.error(cause instanceof Error ? cause.message : 'No answer came. Please try again.');
    } finally {
      setPending(false);
    }
  };
  return (
    <Button
      variant="primary"
      size="sm"
      pending={pending}
      icon={<span aria-hidden="true" className="icon-book-check size-4" />}
      onClick={run}
    >
      Prove the books
    </Button>
  );
}
