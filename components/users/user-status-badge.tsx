import { Badge, type Tone } from '@/components/ui/badge';
import type { UserStatus } from '@/db/schema/users';

const tones: Record<UserStatus, Tone> = { Active: 'green', Pending: 'yellow', Suspended: 'red', Expired: 'grey' };

/** Renders the status of an account, which determines whether the user may sign in. */
export function UserStatusBadge({ status }: { status: UserStatus }) {
  return (
    <Badge tone={tones[status]} dot>
      {status}
    </Badge>
  );
}
