'use client';

import { useRouter } from 'next/navigation';
import { type ReactNode, useState } from 'react';
import { RowMenu } from '@/components/table/record-actions';
import { ConfirmAction, type ConfirmActionProps } from '@/components/ui/confirm-action';
import { Icon } from '@/components/ui/icon';
import { MenuItem, MenuLink } from '@/components/ui/menu';
import { FormDialog, type FormDialogProps } from './dialog-form';

/** An entry of a menu, which runs at once, opens a dialog or opens a URL. */
export type MenuAction = { label: string; icon: ReactNode; tone?: 'danger' } & (
  | { onSelect: () => void }
  | { href: string }
  | { confirm: ConfirmActionProps }
  | { form: FormDialogProps }
);

type ActionMenuProps = { name: string; pending?: boolean; actions: readonly MenuAction[] };

/** Renders the menu of a row, with the dialogs that its actions open. */
export function ActionMenu({ name, pending, actions }: ActionMenuProps) {
  const [opened, setOpened] = useState<string | null>(null);
  const at = (label: string) => ({
    open: opened === label,
    onOpenChange: (open: boolean) => setOpened(open ? label : null),
  });
  return (
    <>
      <RowMenu name={name} pending={pending}>
        {actions.map(({ label, icon, tone, ...action }) =>
          'href' in action ? (
            <MenuLink key={label} href={action.href} scroll={false} icon={icon}>
              {label}
            </MenuLink>
          ) : (
            <MenuItem
              key={label}
              icon={icon}
              tone={tone}
              onSelect={'onSelect' in action ? action.onSelect : () => setOpened(label)}
            >
              {label}
            </MenuItem>
          ),
        )}
      </RowMenu>
      {actions.map((action) => {
        const { label } = action;
        if ('confirm' in action) return <ConfirmAction key={label} {...action.confirm} {...at(label)} />;
        return 'form' in action ? <FormDialog key={label} {...action.form} {...at(label)} /> : null;
      })}
    </>
  );
}

type EditDeleteMenuProps = {
  name: string;
  onEdit: () => void;
  /** The question, naming the record, and the consequence of deleting it. */
  question: string;
  consequence: string;
  confirmLabel: string;
  /** The message after deletion. */
  deleted?: string;
  /** @throws ApiError */
  remove: () => Promise<unknown>;
};

/** Renders the menu of a record that can be edited, and deleted after a confirmation. */
export function EditDeleteMenu(props: EditDeleteMenuProps) {
  const { name, onEdit, question, consequence, confirmLabel, deleted = `${name} deleted.`, remove } = props;
  const router = useRouter();
  const confirm = {
    title: question,
    description: consequence,
    confirmLabel,
    // Also shows the state after a refused deletion.
    action: () =>
      remove().catch((cause) => {
        router.refresh();
        throw cause;
      }),
    done: deleted,
  };
  return (
    <ActionMenu
      name={name}
      actions={[
        { label: 'Edit', icon: <Icon name="pencil" />, onSelect: onEdit },
        { label: 'Delete', icon: <Icon name="trash" />, tone: 'danger', confirm },
      ]}
    />
  );
}
