import { Card, CardBody } from '@/components/ui/card';
import { type Fact, FactList } from '@/components/ui/fact-list';
import { TimeAgo } from '@/components/ui/time-ago';
import type { ProjectView } from '@/lib/projects/views';
import { KeywordBadges } from '../../_components/keyword-badges';
import { TargetLink } from '../../_components/target-link';

/** What a project is about; every order of it gets these words. */
export function ProjectFacts({ project }: { project: ProjectView }) {
  const target: Fact[] = [
    ['Target URL', <TargetLink key="target" url={project.targetUrl} />],
    ['Keywords', <KeywordBadges key="keywords" text={project.keywords} />],
  ];
  const kind: Fact[] = [
    ['Niche', project.niche],
    ['Post type', project.postType],
    ['Country', project.country],
    ['Created', <TimeAgo key="created" at={project.createdAt} />],
  ];
  return (
    <Card aria-label="Facts of the project">
      <CardBody className="grid items-start gap-x-10 gap-y-2 lg:grid-cols-2">
        <FactList facts={target} />
        <FactList facts={kind} />
      </CardBody>
    </Card>
  );
}
