import { usePathname } from 'next/navigation';
import { ButtonLink } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { Icon } from '@/components/ui/icon';
import { PageHeader } from '@/components/ui/page-header';
import { findCurrent, type NavItem } from './nav';

type NotFoundPageProps = {
  /** The start page of the portal. */
  home: string;
  /** The portal's lists. The page links to the one whose record was not found. */
  lists: readonly Pick<NavItem, 'href' | 'label'>[];
};

/**
 * Renders the page for a record that does not exist or belongs to another user, inside the portal's frame. For client
 * components: the server would send it with every page of the portal.
 */
export function NotFoundPage({ home, lists }: NotFoundPageProps) {
  const current = findCurrent(usePathname(), lists);
  const list = current?.href === home ? undefined : current;
  return (
    <>
      <PageHeader title="This page does not exist" />
      <Card>
        <EmptyState
          icon={<Icon name="search-x" />}
          title="404"
          action={
            <>
              <ButtonLink href={home}>Go to the dashboard</ButtonLink>
              {list ? (
                <ButtonLink href={list.href} variant="primary">
                  Back to {list.label}
                </ButtonLink>
              ) : null}
            </>
          }
        >
          The address may be mistyped, or the page was deleted.
        </EmptyState>
      </Card>
    </>
  );
}
