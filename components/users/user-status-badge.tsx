import type { UserStatus } from '@/db/schema/users';
import { Badge } from '../ui/badge';
import type { Tone } from '../ui/tone';

const tones: Record<UserStatus, Tone> = { Active: 'green', Pending: 'yellow', Suspended: 'red', Expired: 'grey' };

/** The status of an account, which determines whether the user may sign in. */
export function UserStatusBadge({ status }: { status: UserStatus }) {
  return (
    <Badge tone={tones[status]} dot>
      {status}
    </Badge>
  );
}
