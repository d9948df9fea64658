import { RecordDialog } from '@/components/table/record-dialog';
import { Alert } from '@/components/ui/alert';
import { DialogBody } from '@/components/ui/dialog';
import { findWalletUser, listWalletUsers } from '@/lib/users/queries';
import { ManualTopUp } from './manual-top-up';

/** Spec 001, section 9. */
const mostUsers = 500;

type TopUpDialogProps = {
  /** As it stands in the address: a user's id, "new" for nobody yet, '' for no dialog. */
  asked: string;
  closeHref: string;
};

/** The Manual Top-Up dialog that the address asks for. */
export async function TopUpDialog({ asked, closeHref }: TopUpDialogProps) {
  if (asked === '') return null;
  const [{ rows, total }, chosen] = await Promise.all([
    listWalletUsers({ limit: mostUsers, offset: 0 }),
    asked === 'new' ? null : findWalletUser(asked),
  ]);
  const users = chosen && !rows.some(({ id }) => id === chosen.id) ? [chosen, ...rows] : rows;
  if (asked !== 'new' && !chosen) {
    return (
      <RecordDialog key={asked} title="User not found" closeHref={closeHref} size="sm">
        <DialogBody>
          <Alert tone="warning">This user does not exist or was deleted.</Alert>
        </DialogBody>
      </RecordDialog>
    );
  }
  return (
    <ManualTopUp
      key={asked}
      users={users.map(({ id, name, email, balanceCents }) => ({
        id,
        label: name ? `${name} (${email})` : email,
        balanceCents,
      }))}
      isCut={total > rows.length}
      initialUserId={chosen?.id ?? ''}
      closeHref={closeHref}
    />
  );
}
