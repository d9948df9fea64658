'use client';

import { Plus } from 'lucide-react';
import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import { useState } from 'react';
import { withParams } from '@/components/table/url';
import { Button } from '@/components/ui/button';
import type { OfferedProvider } from '@/lib/payments/config/offered-providers';
import { AddFundsDialog } from './add-funds-dialog';

type AddFundsProps = {
  providers: readonly OfferedProvider[];
  /** The amount the address asks for, in major units; it opens the dialog. */
  asked: string | null;
  /** The page that waits for the money; '' for none. */
  back: string;
};

/** The button and its dialog. The typed amount is kept when the dialog closes. */
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
    <>
      <Button variant="primary" icon={<Plus className="size-4" />} aria-haspopup="dialog" onClick={() => change(true)}>
        Add Funds
      </Button>
      <AddFundsDialog
        open={open}
        onOpenChange={change}
        providers={providers}
        amount={amount}
        onAmount={setAmount}
        back={back}
      />
    </>
  );
}
