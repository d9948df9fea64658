import { AnswerText, answerStyles } from '@/app/(admin)/dashboard/features/_components/service-state';
import { TestIntegration } from '@/app/(admin)/dashboard/features/_components/service-test';
import { screenTexts } from '@/components/shell/screen-texts';
import { Badge, type Tone } from '@/components/ui/badge';
import { ButtonLink } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { PageHeader } from '@/components/ui/page-header';
import { requirePage } from '@/lib/auth/page-guard';
import { type Integration, type IntegrationState, listIntegrations } from '@/lib/integrations/list';

const texts = screenTexts('/dashboard/features/integrations');

export const metadata = { title: texts.title };

const stateStyles: Readonly<Record<IntegrationState, { tone: Tone; label: string }>> = {
  ...answerStyles,
  missing: { tone: 'grey', label: 'Not connected' },
  off: { tone: 'yellow', label: 'Turned off' },
  broken: { tone: 'red', label: 'Needs attention' },
};

export default async function IntegrationsPage() {
  await requirePage('admin', 'ManageSettings');
  const integrations = await listIntegrations();
  return (
    <>
      <PageHeader {...texts} />
      <ul aria-label="Integrations" className="grid gap-4 md:grid-cols-2 xl:grid-cols-3">
        {integrations.map((integration) => (
          <li key={integration.name} className="flex">
            <IntegrationCard {...integration} />
          </li>
        ))}
      </ul>
    </>
  );
}

function IntegrationCard({ name, label, purpose, state, detail, answer, setUpHref, canBeTested }: Integration) {
  return (
    <Card className="flex w-full min-w-0 flex-col gap-3 p-4 sm:p-5">
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0">
          <h2 className="text-ink text-sm">{label}</h2>
          <p className="text-muted text-sm">{purpose}</p>
        </div>
        <Badge tone={stateStyles[state].tone} dot>
          {stateStyles[state].label}
        </Badge>
      </div>
      <div className="grid flex-1 content-start gap-1 text-sm">
        <p className="wrap-anywhere">{detail}</p>
        {state in answerStyles ? (
          <p className="text-muted">
            <AnswerText answer={answer} />
          </p>
        ) : null}
      </div>
      <div className="flex flex-wrap items-center gap-2">
        {canBeTested ? <TestIntegration name={name} label={label} /> : null}
        {setUpHref ? (
          <ButtonLink href={setUpHref} size="sm" aria-label={`Set up ${label}`}>
            Set up
          </ButtonLink>
        ) : null}
      </div>
    </Card>
  );
}
