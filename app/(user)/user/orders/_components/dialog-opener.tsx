'use client';

import { useRouter } from 'next/navigation';
import { type ReactNode, useTransition } from 'react';
import { Button } from '@/components/ui/button';
import { Spinner } from '@/components/ui/progress';

type DialogOpenerProps = {
  /** The URL that opens the dialog. */
  href: string;
  variant?: 'primary' | 'secondary';
  icon?: ReactNode;
  children: ReactNode;
};

/** Opens a dialog that is part of the URL. Displays a spinner until the server has rendered it. */
export function DialogOpener({ href, variant = 'secondary', icon, children }: DialogOpenerProps) {
  const router = useRouter();
  const [pending, startTransition] = useTransition();
  return (
    <Button
      variant={variant}
      aria-haspopup="dialog"
      aria-busy={pending || undefined}
      icon={pending ? <Spinner /> : icon}
      // Stays enabled because the focus returns to it when the dialog closes.
      onClick={() => startTransition(() => router.push(href, { scroll: false }))}
    >
      {children}
    </Button>
  );
}
