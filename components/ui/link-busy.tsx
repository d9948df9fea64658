'use client';

import { useLinkStatus } from 'next/link';

/** Inside a Link: marks it busy while its page loads, for stylesheets that dim the old page. */
export function LinkBusy() {
  return useLinkStatus().pending ? <span aria-busy="true" hidden /> : null;
}
