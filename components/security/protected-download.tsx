'use client';

import type { ComponentProps, MouseEvent } from 'react';
import { toast } from 'sonner';
import { ApiError, ensureReauthenticated } from '@/lib/browser/api-client';
import { actionFailure } from './security-call';

/** Downloads a file that requires a recent authentication. Asks for the password first where necessary. */
export async function downloadProtected(href: string): Promise<void> {
  try {
    if (await ensureReauthenticated()) startDownload(href);
  } catch (cause) {
    if (!(cause instanceof ApiError)) throw cause;
    toast.error(cause.message || actionFailure(cause.status));
  }
}

/**
 * Renders a link for `downloadProtected`. Without JavaScript the server redirects to the page that asks for the
 * password.
 */
export function ProtectedDownload({ href, children, ...link }: ComponentProps<'a'> & { href: string }) {
  const download = (event: MouseEvent) => {
    event.preventDefault();
    void downloadProtected(href);
  };
  return (
    <a {...link} href={href} onClick={download}>
      {children}
    </a>
  );
}

/** Starts a download without leaving the page. */
function startDownload(href: string): void {
  const link = document.createElement('a');
  link.href = href;
  link.download = '';
  link.click();
}
