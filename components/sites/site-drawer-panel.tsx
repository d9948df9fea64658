'use client';

import { useRouter } from 'next/navigation';
import { type KeyboardEvent, type ReactNode, useTransition } from 'react';
import { toast } from 'sonner';
import { useRecordClose } from '@/components/table/record-dialog';
import { withParams } from '@/components/table/url';
import { setPendingHref } from '@/components/table/use-param-change';
import { Button, ButtonLink, IconButton } from '@/components/ui/button';
import { cn } from '@/components/ui/cn';
import { Dialog, DialogBody, DialogFooter } from '@/components/ui/dialog';
import { Icon } from '@/components/ui/icon';
import { Menu, MenuItem } from '@/components/ui/menu';
import { toastWithUndo } from '@/components/ui/toast-with-undo';
import { ApiError, callAction, redirectIfSignedOut } from '@/lib/browser/api-client';
import { pageAccount } from '@/lib/browser/page-account';
import { formatUsd } from '@/lib/money';
import type { CartState } from '@/lib/orders/carts/cart-sites';
import { blockDomainsAction, unblockDomainsAction } from '@/lib/projects/actions';
import type { MarketplaceRow } from '@/lib/sites/views';
import { siteHost } from './site-text';
import { useCart } from './use-cart';

export type SiteDrawerProps = {
  site: Pick<MarketplaceRow, 'id' | 'name' | 'url' | 'usdCents'>;
  /** The URLs of the neighbors in the list; null where the list ends. */
  previousHref: string | null;
  nextHref: string | null;
  /** The URL of the list without the drawer. */
  closeHref: string;
  /** The cart of the current project. */
  cart: CartState;
  project: { id: string; domain: string } | null;
  /**
   * The domain, whether the buyer blocks it, and whether the buyer may change the list for all projects; null for an
   * address without one, and where the buyer may change no list.
   */
  block: { domain: string; isBlocked: boolean; isForAll: boolean } | null;
  /** The details, rendered on the server. */
  children: ReactNode;
};

/**
 * Renders the drawer of a listed site, which the URL names. The arrow keys and two buttons open the neighbors in the
 * list in its place, so that Back closes the drawer.
 */
export function SiteDrawerPanel(props: SiteDrawerProps) {
  const { site, previousHref, nextHref, closeHref, project, block, children } = props;
  const router = useRouter();
  const { open, close } = useRecordClose(closeHref);
  const [pending, startTransition] = useTransition();
  const cart = useCart(props.cart);
  const isInCart = cart.has(site.id);

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
    if (isInCart) cart.remove([site]);
    else cart.add([{ id: site.id, usdCents: site.usdCents }]);
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
          {block && !cart.isReadOnly ? <BlockMenu {...block} project={project} /> : null}
          {neighbor('Previous site', 'ArrowUp', previousHref, <Icon name="chevron-up" />)}
          {neighbor('Next site', 'ArrowDown', nextHref, <Icon name="chevron-down" />)}
        </>
      }
      onKeyDown={browse}
      focusAfter={() => document.querySelector<HTMLElement>(`.site-table a[href$="site=${site.id}"]`)}
    >
      {/* Focusable, because it may scroll without any control in it. */}
      <DialogBody key={site.id} tabIndex={0} aria-busy={pending || undefined} className={cn(pending && 'opacity-55')}>
        {children}
      </DialogBody>
      {cart.isReadOnly ? null : (
        <DialogFooter>
          <Button
            className="mr-auto"
            aria-label={isInCart ? 'In cart, remove' : undefined}
            onClick={toggle}
            icon={isInCart ? <Icon name="check" /> : undefined}
          >
            {isInCart ? 'In cart' : 'Add to cart'}
          </Button>
          <ButtonLink variant="primary" href={withParams('/user/cart', {}, { site: site.id, project: project?.id })}>
            Order · {formatUsd(site.usdCents)}
          </ButtonLink>
        </DialogFooter>
      )}
    </Dialog>
  );
}

type BlockMenuProps = NonNullable<SiteDrawerProps['block']> & Pick<SiteDrawerProps, 'project'>;

/** Blocks the domain of the site for all projects or for the current one, or removes it from both lists. */
function BlockMenu({ domain, isBlocked, isForAll, project }: BlockMenuProps) {
  const router = useRouter();
  /** Removes the domain from the list for all projects, `null`, or from that of one. */
  const unblock = (...lists: (string | null)[]) =>
    save(
      async () => {
        for (const projectId of new Set(lists))
          await callAction(() => unblockDomainsAction({ projectId, domains: [domain] }, pageAccount()));
      },
      () => toast.success(`${domain} is no longer blocked`),
    );
  const block = (projectId: string | null, message: string) =>
    save(
      () => callAction(() => blockDomainsAction({ projectId, text: domain }, pageAccount())),
      () => toastWithUndo(message, () => void unblock(projectId)),
    );
  const save = async (change: () => Promise<unknown>, report: () => unknown) => {
    try {
      await change().catch(redirectIfSignedOut);
      report();
      router.refresh();
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      toast.error(cause.message || 'Your change wasn’t saved. Try again.');
    }
  };
  return (
    <Menu
      trigger={
        <IconButton label={isBlocked ? `${domain} is blocked` : `Block ${domain}`}>
          <Icon name="ban" className={cn(isBlocked && 'text-red-ink')} />
        </IconButton>
      }
    >
      {isBlocked ? (
        <MenuItem onSelect={() => void unblock(...(isForAll ? [null] : []), ...(project ? [project.id] : []))}>
          Unblock {domain}
        </MenuItem>
      ) : (
        <>
          {isForAll ? (
            <MenuItem onSelect={() => void block(null, `${domain} is blocked`)}>Block for all projects</MenuItem>
          ) : null}
          {project ? (
            <MenuItem onSelect={() => void block(project.id, `${domain} is blocked for ${project.domain}`)}>
              Block for {project.domain} only
            </MenuItem>
          ) : null}
        </>
      )}
    </Menu>
  );
}
