'use client';

import type { ComponentProps, MouseEvent } from 'react';
import { ApiError } from '@/lib/http/client';
import { ensureReauthenticated } from '@/lib/http/ensure-reauthenticated';
import { toast } from '../ui/toast';
import { actionFailure } from './action-failure';

/**
 * A link to a file that needs a password typed recently: asks for it in place, then downloads. Without a script the
 * server leads to the page that asks.
 */
export function ProtectedDownload({ href, children, ...link }: ComponentProps<'a'> & { href: string }) {
  const download = async (event: MouseEvent) => {
    event.preventDefault();
    try {
      if (await ensureReauthenticated()) startDownload(href);
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      toast.error(cause.message || actionFailure(cause.status));
    }
  };
  return (
    <a {...link} href={href} onClick={(event) => void download(event)}>
      {children}
    </a>
  );
}

/** Downloads beside the page, which stays open. */
function startDownload(href: string): void {
  const link = document.createElement('a');
  link.href = href;
  link.download = '';
  link.click();
}
