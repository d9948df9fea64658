'use client';

import { BookCheck } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { proveBooksAction } from '../actions';
import { orFail } from './or-fail';
import { useToldWork } from './use-told-work';

/** Runs a verification of the ledger. */
export function ProveBooks() {
  const { pending, run } = useToldWork(async () => {
    const { isSound } = await orFail(proveBooksAction({}));
    return {
      isGood: isSound,
      text: isSound ? 'The books are sound.' : 'The books do not add up: see what is broken.',
    };
  });
  return (
    <Button variant="primary" size="sm" pending={pending} icon={<BookCheck className="size-4" />} onClick={run}>
      Prove the books
    </Button>
  );
}
