'use client';

import { useRouter } from 'next/navigation';
import { type ComponentProps, createContext, type MouseEvent, useTransition } from 'react';

/** Whether the page of the link around it is on its way; LinkBusy shows it. */
export const LinkPending = createContext(false);

type LinkProps = ComponentProps<'a'> & {
  /** An address of this app. */
  href: string;
  /** Whether the new page starts at its top. */
  scroll?: boolean;
};

/**
 * A link within the app: the new page comes without loading the frame anew. Next's own Link is for fetching pages
 * ahead, which only the menus do here (NavLink); for that every first load would carry 3 kB.
 */
export function Link({ href, scroll = true, onClick, children, ...rest }: LinkProps) {
  const router = useRouter();
  const [isPending, startTransition] = useTransition();
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (event.defaultPrevented || isForBrowser(event)) return;
    event.preventDefault();
    startTransition(() => router.push(href, { scroll }));
  };
  return (
    <a {...rest} href={href} onClick={follow}>
      <LinkPending value={isPending}>{children}</LinkPending>
    </a>
  );
}

/** To open it elsewhere, or to save it. */
function isForBrowser({ currentTarget, button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent<HTMLAnchorElement>) {
  const { target, origin } = currentTarget;
  const isElsewhere = (target !== '' && target !== '_self') || origin !== window.location.origin;
  return (
    isElsewhere || currentTarget.hasAttribute('download') || button !== 0 || metaKey || ctrlKey || shiftKey || altKey
  );
}
