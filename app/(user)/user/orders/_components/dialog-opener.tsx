'use client';

import { useRouter } from 'next/navigation';
import { type ReactNode, useTransition } from 'react';
import { Button } from '@/components/ui/button';
import { Spinner } from '@/components/ui/spinner';
import { loadDialog } from './load-dialogs';

type DialogOpenerProps = {
  dialog: keyof typeof loadDialog;
  /** The address that opens it. */
  href: string;
  variant?: 'primary' | 'secondary';
  icon?: ReactNode;
  children: ReactNode;
};

/** Opens a dialog that the address names; turns until the server has sent what stands in it. */
export function DialogOpener({ dialog, href, variant = 'secondary', icon, children }: DialogOpenerProps) {
  const router = useRouter();
  const [pending, startTransition] = useTransition();
  const preload = () => {
    // What is lost now is asked for again by the dialog, whose failure shows.
    void Promise.allSettled([loadDialog[dialog]()]);
  };
  return (
    <Button
      variant={variant}
      aria-haspopup="dialog"
      aria-busy={pending || undefined}
      icon={pending ? <Spinner /> : icon}
      onPointerEnter={preload}
      onFocus={preload}
      // Not disabled meanwhile: the focus comes back here when the dialog closes.
      onClick={() => startTransition(() => router.push(href, { scroll: false }))}
    >
      {children}
    </Button>
  );
}
