'use client';

import type { ReactNode } from 'react';
import { Button, IconButton } from '@/components/ui/button';
import { ConfirmAction } from '@/components/ui/confirm-action';
import { Icon } from '@/components/ui/icon';
import { Menu } from '@/components/ui/menu';
import { deleteFailure } from '@/lib/browser/api-client';

/**
 * Renders the menu of a row. A row with two or more actions shows them in this menu. A row with one action shows it as
 * a button or a link, as do the Top-Up of a wallet and the Details and Invoice of a buyer's order, which the specification
 * requires to be visible, and the room of an order. Controls that show a value of the row, such as a role, a status, a favorite or a key to copy, stay in the
 * column of that value.
 */
export function RowMenu({ name, pending, children }: { name: string; pending?: boolean; children: ReactNode }) {
  return (
    <Menu
      trigger={
        <IconButton label={`Actions for ${name}`} pending={pending}>
          <Icon name="ellipsis" />
        </IconButton>
      }
    >
      {children}
    </Menu>
  );
}

type DeleteRecordProps = {
  /** Deletes the record. @throws ApiError */
  remove: () => Promise<unknown>;
  /** E.g. "package". */
  noun: string;
  name: string;
  /** The question, where the name cannot be quoted. */
  question?: string;
  /** The consequence of deleting it. */
  consequence: string;
  onDeleted: () => void;
  /** Other words for deleting. */
  words?: { verb: string; done: string };
};

const deleting = { verb: 'Delete', done: 'deleted' };

/** Renders the Delete button of a record's dialog, with a confirmation. */
export function DeleteRecord(props: DeleteRecordProps) {
  const { remove, noun, name, question, consequence, onDeleted, words = deleting } = props;
  return (
    <ConfirmAction
      trigger={
        <Button variant="ghost" className="mr-auto text-red-ink" icon={<Icon name="trash" />}>
          <span className="max-sm:sr-only">{words.verb}</span>
        </Button>
      }
      title={question ?? `${words.verb} the ${noun} “${name}”?`}
      description={consequence}
      confirmLabel={`${words.verb} ${noun}`}
      action={() => remove().catch(deleteFailure).then(onDeleted)}
      done={`${name} ${words.done}.`}
    />
  );
}
