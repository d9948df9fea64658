'use client';

import { Trash2 } from 'lucide-react';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { marketplacePath } from '@/components/sites/filters/address-filters';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { IconButton } from '@/components/ui/icon-button';
import { callAction } from '@/lib/browser/call-action';
import { redirectIfSignedOut } from '@/lib/browser/redirect-if-signed-out';
import type { SavedFilter } from '@/lib/sites/preferences/save-filter';
import { deleteFilterAction } from '../actions';
import { describeFilter } from './describe-filter';

type SavedFilterItemProps = { filter: SavedFilter; onUse: () => void };

/** A saved filter: a link to its list, and its end. */
export function SavedFilterItem({ filter: { id, name, query }, onUse }: SavedFilterItemProps) {
  const router = useRouter();
  return (
    <li className="flex items-center gap-2 py-2 pr-2 pl-4">
      <Link
        prefetch={false}
        href={`${marketplacePath}?${query}`}
        onClick={onUse}
        className="group mr-auto min-w-0 rounded-sm"
      >
        <span className="block truncate font-medium text-accent-ink text-sm group-hover:underline">{name}</span>
        <span className="block truncate text-muted text-xs">{describeFilter(query)}</span>
      </Link>
      <ConfirmDialog
        title={`Delete the saved filter “${name}”?`}
        confirmLabel="Delete"
        onConfirm={async () => {
          await callAction(deleteFilterAction({ id })).catch(redirectIfSignedOut);
          router.refresh();
        }}
        trigger={
          <IconButton label={`Delete ${name}`}>
            <Trash2 className="size-4" />
          </IconButton>
        }
      />
    </li>
  );
}
