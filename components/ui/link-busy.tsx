'use client';

import { useLinkStatus } from 'next/link';

/** Sets `aria-busy` inside a Link while its page loads, so that stylesheets can dim the old page. */
export function LinkBusy() {
  return useLinkStatus().pending ? <span aria-busy="true" hidden /> : null;
}
