'use client';

import { CirclePause, CirclePlay, Pencil } from 'lucide-react';
import { toast } from 'sonner';
import { ActionMenu } from '@/components/form/action-menu';
import { useOperation } from '@/components/form/use-operation';
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
        { label: 'Edit', icon: <Pencil className="size-4" />, href: editHref },
        ...(isPaused
          ? [
              {
                label: 'Resume',
                icon: <CirclePlay className="size-4" />,
                onSelect: () => void operation.run(resume),
              },
            ]
          : []),
        {
          label: isPaused ? 'Change the pause' : 'Pause',
          icon: <CirclePause className="size-4" />,
          form: { ...pauseForm([id]), title: `Pause ${name}` },
        },
      ]}
    />
  );
}
