import { route } from '@/lib/auth/route';
import { exportLinks } from '@/lib/orders/order/project-figures';
import { csvFile, csvResponse } from '@/lib/platform/csv';
import { projectIdParams } from '@/lib/projects/contract';
import { getProject } from '@/lib/projects/projects';

/** Streams the live links of an own project as a CSV file. */
export const GET = route(
  {
    access: 'session',
    summary: 'Exports the live links of an own project with their newest checks as CSV.',
    params: projectIdParams,
    response: csvFile,
    errors: ['not_found', 'rate_limited'],
  },
  async ({ actor, params }) => {
    const project = await getProject(actor, params.id);
    return csvResponse(actor, 'links', (on) => exportLinks(project.id, on));
  },
);
