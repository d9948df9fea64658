import { Badge } from '@/components/ui/badge';
import type { Tone } from '@/components/ui/tone';
import type { UserStatus as Status } from '@/db/schema/users';

const tones: Record<Status, Tone> = { Active: 'green', Pending: 'yellow', Suspended: 'red', Expired: 'grey' };

export function UserStatus({ status }: { status: Status }) {
  return (
    <Badge tone={tones[status]} dot>
      {status}
    </Badge>
  );
}
