'use client';

import { useLinkStatus } from 'next/link';

/** Inside a link: marks it busy while its page is on its way, for stylesheets that let the old page step back. */
export function LinkBusy() {
  return useLinkStatus().pending ? <span aria-busy="true" hidden /> : null;
}
