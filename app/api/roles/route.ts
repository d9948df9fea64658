import { z } from 'zod';
import { route } from '@/lib/http/route';
import { featureRoleAnswer } from '@/lib/roles/answers';
import { createFeatureRole } from '@/lib/roles/create';
import { listFeatureRoles } from '@/lib/roles/queries';
import { featureRoleBody } from '@/lib/roles/schemas';
import { featureRoleView } from '@/lib/roles/views';

export const GET = route(
  { access: 'ManageRoles', summary: 'Every record of the older role manager.', answer: z.array(featureRoleAnswer) },
  async () => {
    const { rows } = await listFeatureRoles();
    return rows.map(featureRoleView);
  },
);

export const POST = route(
  {
    access: 'ManageRoles',
    recentAuthentication: true,
    summary: 'Gives a person features, under a name.',
    answer: featureRoleAnswer,
    status: 201,
    errors: ['conflict'],
    body: featureRoleBody,
  },
  async ({ actor, body }) => featureRoleView(await createFeatureRole(actor, body)),
);
