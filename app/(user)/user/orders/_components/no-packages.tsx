import { Package } from 'lucide-react';
import { ButtonLink } from '@/components/ui/button-link';
import { DialogBody } from '@/components/ui/dialog';
import { EmptyState } from '@/components/ui/empty-state';

/** New Order with nothing to order. */
export function NoPackages() {
  return (
    <DialogBody>
      <EmptyState
        icon={<Package />}
        title="No package is on sale right now"
        action={
          <ButtonLink href="/user/orders?new=custom" scroll={false}>
            Build Custom
          </ButtonLink>
        }
      >
        Choose the sites yourself instead, one by one.
      </EmptyState>
    </DialogBody>
  );
}
