'use client';

import { Plus } from 'lucide-react';
import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import { useState } from 'react';
import { useHydrated } from '@/components/auth/use-hydrated';
import { withParams } from '@/components/table/url';
import { Button } from '@/components/ui/button';
import { lazyPart } from '@/components/ui/lazy-part';
import type { OfferedProvider } from '@/lib/payments/offered-providers';

const loadDialog = async () => {
  // The panel it opens in comes beside its own code, not after it.
  const [dialog] = await Promise.all([import('./add-funds-dialog'), import('@/components/ui/dialog-panel')]);
  return dialog;
};
const AddFundsDialog = lazyPart(loadDialog, { isDialog: true });

type AddFundsProps = {
  providers: readonly OfferedProvider[];
  /** The amount the address asks for, in major units; it opens the dialog. */
  asked: string | null;
  /** The page that waits for the money; '' for none. */
  back: string;
};

/** The button and its dialog, whose code comes with the first opening. The amount outlives a closed dialog. */
export function AddFunds({ providers, asked, back }: AddFundsProps) {
  const router = useRouter();
  const pathname = usePathname();
  const searchParams = useSearchParams();
  const [followed, setFollowed] = useState<string | null>(null);
  const [open, setOpen] = useState(false);
  const [amount, setAmount] = useState('');
  const [wanted, setWanted] = useState(false);
  const isHydrated = useHydrated();
  if (open && !wanted) setWanted(true);

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

  const preload = () => {
    // An answer lost now is asked for again by the press, whose failure shows.
    void Promise.allSettled([loadDialog()]);
  };

  return (
    <>
      <Button
        variant="primary"
        icon={<Plus className="size-4" />}
        aria-haspopup="dialog"
        onPointerEnter={preload}
        onFocus={preload}
        onClick={() => change(true)}
      >
        Add Funds
      </Button>
      {wanted && isHydrated ? (
        <AddFundsDialog
          open={open}
          onOpenChange={change}
          providers={providers}
          amount={amount}
          onAmount={setAmount}
          back={back}
        />
      ) : null}
    </>
  );
}
