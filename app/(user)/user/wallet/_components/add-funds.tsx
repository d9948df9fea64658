'use client';

import { Plus } from 'lucide-react';
import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import { useState } from 'react';
import { withParams } from '@/components/table/url';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import type { OfferedProvider } from '@/lib/payments/offered-providers';
import { AddFundsForm } from './add-funds-form';

type AddFundsProps = {
  providers: readonly OfferedProvider[];
  /** The amount the address asks for, in major units; it opens the dialog. */
  asked: string | null;
  /** The page that waits for the money; '' for none. */
  back: string;
};

/** The button and its dialog. The amount outlives a closed dialog. */
export function AddFunds({ providers, asked, back }: AddFundsProps) {
  const router = useRouter();
  const pathname = usePathname();
  const searchParams = useSearchParams();
  const [followed, setFollowed] = useState<string | null>(null);
  const [open, setOpen] = useState(false);
  const [amount, setAmount] = useState('');

  if (asked !== followed) {
    setFollowed(asked);
    if (asked !== null) {
      setAmount(asked);
      setOpen(true);
    }
  }

  const change = (next: boolean) => {
    setOpen(next);
    if (next || asked === null) return;
    router.replace(withParams(pathname, new URLSearchParams(searchParams), { topup: null }), { scroll: false });
  };

  return (
    <Dialog
      open={open}
      onOpenChange={change}
      title="Add Funds"
      description={
        back
          ? 'Your order needs this much more. You return to it as soon as the payment is confirmed.'
          : 'The money is in your wallet as soon as the payment is confirmed.'
      }
      size="sm"
      trigger={
        <Button variant="primary" icon={<Plus aria-hidden="true" className="size-4" />}>
          Add Funds
        </Button>
      }
    >
      <AddFundsForm providers={providers} amount={amount} onAmount={setAmount} back={back} />
    </Dialog>
  );
}
