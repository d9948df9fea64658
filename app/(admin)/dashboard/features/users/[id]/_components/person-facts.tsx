import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { FactList } from '@/components/ui/fact-list';
import { TimeAgo } from '@/components/ui/time-ago';
import { UserStatusBadge } from '@/components/users/user-status-badge';
import type { FeatureRoleRow } from '@/lib/roles/feature-roles/views';
import type { PersonRow } from '@/lib/users/views';

/** Who somebody is and what they may do. @param features what they were given besides the role */
export function PersonFacts({ person, features }: { person: PersonRow; features: FeatureRoleRow[] }) {
  return (
    <Card aria-labelledby="facts-heading">
      <CardHeader title={<span id="facts-heading">Account</span>} />
      <CardBody>
        <FactList
          facts={[
            ['Email', person.email],
            ['Status', <UserStatusBadge key="status" status={person.status} />],
            ['Role', person.role],
            ...features.map(({ name, features: given }): [string, string] => [name, given.join(', ') || 'No features']),
            ['Joined', <TimeAgo key="joined" at={person.createdAt} />],
            ['Last seen', person.lastSeenAt ? <TimeAgo key="seen" at={person.lastSeenAt} /> : 'Never'],
          ]}
        />
      </CardBody>
    </Card>
  );
}
