'use client';

import { useLinkStatus } from 'next/link';

/** Inside a Link: sets `aria-busy` while its page loads, so that stylesheets can dim the old page. */
export function LinkBusy() {
  return useLinkStatus().pending ? <span aria-busy="true" hidden /> : null;
}
