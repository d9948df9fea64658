'use client';

import { ChevronDown, ChevronUp } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { type KeyboardEvent, type ReactNode, useTransition } from 'react';
import { toast } from 'sonner';
import { useRecordClose } from '@/components/table/record-dialog';
import { setPendingHref } from '@/components/table/use-param-change';
import { Button, IconButton } from '@/components/ui/button';
import { cn } from '@/components/ui/cn';
import { Dialog, DialogBody, DialogFooter } from '@/components/ui/dialog';
import { formatUsd } from '@/lib/money';
import { siteHost, siteLinkId } from './site-text';
import { type SelectedSite, useCheckout, useSelection } from './use-selection';

export type SiteDrawerProps = {
  site: SelectedSite;
  /** The URLs of the neighbors in the list; null where the list ends. */
  previousHref: string | null;
  nextHref: string | null;
  /** The URL of the list without the drawer. */
  closeHref: string;
  userId: string;
  /** The maximum number of sites in one order. */
  maxSelected: number;
  /** The details, rendered on the server. */
  children: ReactNode;
};

/**
 * Renders the drawer of a listed site, which the URL names. The arrow keys and two buttons open the neighbors in the
 * list in its place, so that Back closes the drawer.
 */
export function SiteDrawerPanel(props: SiteDrawerProps) {
  const { site, previousHref, nextHref, closeHref, userId, maxSelected, children } = props;
  const router = useRouter();
  const { open, close } = useRecordClose(closeHref);
  const [pending, startTransition] = useTransition();
  const { sites: selection, write } = useSelection(userId);
  const [, setCheckout] = useCheckout(userId);
  const isSelected = selection.some(({ id }) => id === site.id);

  const go = (href: string | null) => {
    if (href === null || pending) return;
    setPendingHref(href);
    startTransition(() => router.replace(href, { scroll: false }));
  };
  const browse = (event: KeyboardEvent<HTMLElement>) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    event.preventDefault();
    go(event.key === 'ArrowUp' ? previousHref : nextHref);
  };
  const toggle = () => {
    if (isSelected) write(selection.filter(({ id }) => id !== site.id));
    else if (selection.length < maxSelected) write([...selection, site]);
    else toast.info(`You can order at most ${maxSelected} sites at once.`);
  };
  /** Orders this site alone, and leaves the selection as it is. */
  const order = () => {
    close();
    setCheckout({ isOpen: true, sites: [site] });
  };

  const neighbor = (label: string, key: string, href: string | null, icon: ReactNode) => (
    // Not disabled, because the focused button would lose the focus at the end of the list.
    <IconButton
      label={label}
      data-tooltip={`${label} (${key === 'ArrowUp' ? '↑' : '↓'})`}
      aria-keyshortcuts={key}
      aria-disabled={href === null || undefined}
      onClick={() => go(href)}
      className={cn(href === null && 'cursor-not-allowed opacity-55')}
    >
      {icon}
    </IconButton>
  );
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && close()}
      placement="right"
      title={site.name}
      description={
        <a href={site.url} target="_blank" rel="noopener noreferrer nofollow" className="hover:underline">
          {siteHost(site.url)}
        </a>
      }
      headerActions={
        <>
          {neighbor('Previous site', 'ArrowUp', previousHref, <ChevronUp aria-hidden="true" className="size-4" />)}
          {neighbor('Next site', 'ArrowDown', nextHref, <ChevronDown aria-hidden="true" className="size-4" />)}
        </>
      }
      onKeyDown={browse}
      focusAfter={() => document.getElementById(siteLinkId(site.id))}
    >
      {/* Focusable, because it may scroll without any control in it. */}
      <DialogBody key={site.id} tabIndex={0} aria-busy={pending || undefined} className={cn(pending && 'opacity-55')}>
        {children}
      </DialogBody>
      <DialogFooter>
        <Button className="mr-auto" onClick={toggle}>
          {isSelected ? 'Remove from selection' : 'Add to selection'}
        </Button>
        <Button variant="primary" onClick={order}>
          Order · {formatUsd(site.usdCents)}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
