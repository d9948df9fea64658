'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { FormDialog } from '@/components/form/dialog-form';
import { getFormText } from '@/components/form/fields';
import type { BriefTexts } from '@/components/orders/brief-draft';
import { BriefFields, WriterFields } from '@/components/orders/brief-fields';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { Dialog, DialogBody, DialogClose, DialogFooter } from '@/components/ui/dialog';
import { Menu, MenuItem } from '@/components/ui/menu';
import { apiFetch, deleteFailure, redirectIfSignedOut } from '@/lib/browser/api-client';
import { type CartEditor, cartPath } from './cart-editor';

type CartMenuProps = { name: string; editor: CartEditor; isEmpty: boolean };

/** Renders the menu of a cart: rename, empty, delete. */
export function CartMenu({ name, editor, isEmpty }: CartMenuProps) {
  const router = useRouter();
  const [dialog, setDialog] = useState<'rename' | 'delete' | null>(null);
  const at = (kind: 'rename' | 'delete') => ({
    open: dialog === kind,
    onOpenChange: (open: boolean) => setDialog(open ? kind : null),
  });
  return (
    <>
      <Menu trigger={<Button size="sm">Cart options</Button>}>
        <MenuItem onSelect={() => setDialog('rename')}>Rename</MenuItem>
        <MenuItem disabled={isEmpty} onSelect={() => editor.setRows([])}>
          Remove all sites
        </MenuItem>
        <MenuItem tone="danger" onSelect={() => setDialog('delete')}>
          Delete cart
        </MenuItem>
      </Menu>
      <FormDialog
        {...at('rename')}
        title={`Rename ${name}`}
        size="sm"
        submitLabel="Rename"
        done="Cart renamed."
        fields={[{ name: 'name', label: 'Name', required: true, maxLength: 100, defaultValue: name }]}
        submit={async (data) => {
          await editor.save();
          const { id, version } = editor.get().cart;
          const body = { name: getFormText(data, 'name'), version };
          await apiFetch(cartPath(id), { method: 'PATCH', body }).catch(redirectIfSignedOut);
          await editor.reload();
        }}
      />
      <ConfirmDialog
        {...at('delete')}
        title={`Delete ${name}?`}
        description="Its sites and briefs are deleted. Orders stay."
        confirmLabel="Delete cart"
        onConfirm={async () => {
          const { id } = editor.get().cart;
          await editor.save();
          await apiFetch(cartPath(id), { method: 'DELETE' }).catch(redirectIfSignedOut).catch(deleteFailure);
          router.push('/user/cart');
          router.refresh();
        }}
      />
    </>
  );
}

type BriefDialogProps = {
  /** The site, or what the brief is for. */
  name: string;
  /** `article` shows the fields of the article alone. */
  part: 'brief' | 'article';
  texts: BriefTexts;
  /** Errors by field name. */
  errors: Readonly<Record<string, string>>;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Receives the edited fields. */
  onSave: (edit: Partial<BriefTexts>) => void;
};

/** Edits a brief, or its article, in a dialog. */
export function BriefDialog({ name, part, open, onOpenChange, ...form }: BriefDialogProps) {
  const noun = part === 'brief' ? 'Brief' : 'Article';
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={`${noun} · ${name}`} size={part === 'brief' ? 'lg' : 'md'}>
      <BriefForm {...form} {...{ name, part }} />
    </Dialog>
  );
}

function BriefForm({ name, part, texts, errors, onSave }: Omit<BriefDialogProps, 'open' | 'onOpenChange'>) {
  const [edit, setEdit] = useState<Partial<BriefTexts>>({});
  const [isUploading, setUploading] = useState(false);
  const shown = { ...texts, ...edit };
  const add = (changes: Partial<BriefTexts>) => setEdit((before) => ({ ...before, ...changes }));
  return (
    <>
      <DialogBody className="grid grid-cols-[minmax(0,1fr)] content-start gap-4">
        {part === 'brief' ? (
          <BriefFields
            legend={`Brief, ${name}`}
            texts={shown}
            errors={errors}
            onEdit={add}
            onUploading={setUploading}
          />
        ) : (
          <WriterFields texts={shown} error={errors.articleId} onEdit={add} onUploading={setUploading} />
        )}
      </DialogBody>
      <DialogFooter>
        <DialogClose>
          <Button>Cancel</Button>
        </DialogClose>
        <DialogClose>
          <Button variant="primary" disabled={isUploading} onClick={() => onSave(edit)}>
            {isUploading ? 'Uploading…' : 'Apply'}
          </Button>
        </DialogClose>
      </DialogFooter>
    </>
  );
}

type DuplicatesDialogProps = {
  /** The sites that are ordered a second time, each with the reason that the server gave. */
  sites: readonly { name: string; reason: string }[];
  open: boolean;
  onCancel: () => void;
  /** Orders them again. The dialog closes, and the screen shows the progress. */
  onConfirm: () => void;
};

/** Asks once before sites are ordered a second time for a project. */
export function DuplicatesDialog({ sites: given, open, onCancel, onConfirm }: DuplicatesDialogProps) {
  // They stay while the dialog closes.
  const [sites, setSites] = useState(given);
  if (open && JSON.stringify(sites) !== JSON.stringify(given)) setSites(given);
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={(next) => !next && onCancel()}
      title={sites.length === 1 ? 'Order this site again?' : `Order ${sites.length} sites again?`}
      description={`Nothing was ordered yet. ${sites.length === 1 ? 'It would be a second order for the same domain' : 'They would be second orders for the same domains'}.`}
      confirmLabel="Order again"
      tone="primary"
      onConfirm={async () => onConfirm()}
    >
      <ul className="max-h-60 list-disc overflow-y-auto pl-5 text-ink text-sm">
        {sites.map(({ name, reason }) => (
          <li key={reason} className="wrap-anywhere">
            {name}
            <span className="block text-muted">{reason}</span>
          </li>
        ))}
      </ul>
    </ConfirmDialog>
  );
}
