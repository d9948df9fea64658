import type { UserStatus } from '@/db/schema/users';
import { Badge } from '../ui/badge';
import type { Tone } from '../ui/tone';

const tones: Record<UserStatus, Tone> = { Active: 'green', Pending: 'yellow', Suspended: 'red', Expired: 'grey' };

/** Whether an account may sign in (spec 000, section 2). */
export function UserStatusBadge({ status }: { status: UserStatus }) {
  return (
    <Badge tone={tones[status]} dot>
      {status}
    </Badge>
  );
}
