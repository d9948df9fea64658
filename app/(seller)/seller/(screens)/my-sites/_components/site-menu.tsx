'use client';

import { toast } from 'sonner';
import { ActionMenu } from '@/components/form/action-menu';
import { useOperation } from '@/components/form/use-operation';
import { Icon } from '@/components/ui/icon';
import { pauseForm } from './pause-dialog';
import { changeSites, describeOutcome } from './send-change';

type SiteMenuProps = { site: { id: number; name: string }; isPaused: boolean; editHref: string };

/** Renders the menu of a site of the seller. */
export function SiteMenu({ site: { id, name }, isPaused, editHref }: SiteMenuProps) {
  const operation = useOperation({
    fallback: () => `${name} could not be resumed. Try again.`,
    onError: (message) => toast.error(message),
  });
  const resume = async () => describeOutcome(await changeSites([id], { resume: true }), 'resumed');
  return (
    <ActionMenu
      name={name}
      pending={operation.pending}
      actions={[
        { label: 'Edit', icon: <Icon name="pencil" />, href: editHref },
        ...(isPaused
          ? [
              {
                label: 'Resume',
                icon: <Icon name="circle-play" />,
                onSelect: () => void operation.run(resume),
              },
            ]
          : []),
        {
          label: isPaused ? 'Change the pause' : 'Pause',
          icon: <Icon name="circle-pause" />,
          form: { ...pauseForm([id]), title: `Pause ${name}` },
        },
      ]}
    />
  );
}
