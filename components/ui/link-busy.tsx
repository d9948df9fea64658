'use client';

import { useContext } from 'react';
import { LinkPending } from './link';

/** Inside a link: marks it busy while its page is on its way, for stylesheets that let the old page step back. */
export function LinkBusy() {
  return useContext(LinkPending) ? <span aria-busy="true" hidden /> : null;
}
