import { TestIntegration, TestPayment } from '@/app/(admin)/dashboard/features/_components/service-test';
import { ButtonLink } from '@/components/ui/button';
import { Card, CardHeader } from '@/components/ui/card';
import { Icon } from '@/components/ui/icon';
import type { Actor } from '@/lib/access/actor';
import { hasPermission } from '@/lib/access/authorize';
import { listSetupSteps, readSetupVisibility, type SetupStep } from '@/lib/dashboard/setup-checklist';
import { getMailProvider } from '@/lib/mail/send';
import { providerNames } from '@/lib/payments/providers/names';
import { ToggleSetup } from './toggle-setup';

type Setup = Awaited<ReturnType<typeof readSetupVisibility>> & {
  mayHide: boolean;
  /** The steps that the actor sees; none while the list is hidden. */
  steps: SetupStep[];
};

/** Loads what is left to set up, from real checks. */
export async function loadSetup(actor: Actor): Promise<Setup> {
  const visibility = await readSetupVisibility();
  const mayHide = hasPermission(actor, 'ManageSettings');
  return { ...visibility, mayHide, steps: visibility.isHidden ? [] : await listSetupSteps(actor) };
}

/** Lists what is left to set up. Renders nothing once everything that the actor sees is done. */
export function SetupCard({ isHidden, version, mayHide, steps }: Setup) {
  if (isHidden) {
    return mayHide ? (
      <p className="mb-4 flex flex-wrap items-center gap-x-3 text-muted text-sm">
        The setup checklist is hidden.
        <ToggleSetup isHidden={false} version={version} label="Show" />
      </p>
    ) : null;
  }
  const done = steps.filter((step) => step.done).length;
  if (done === steps.length) return null;
  return (
    <Card className="mb-4" aria-labelledby="setup">
      <CardHeader
        title={<span id="setup">Set up your marketplace</span>}
        description={`${done} of ${steps.length} done`}
        actions={mayHide ? <ToggleSetup isHidden version={version} label="Hide" /> : null}
      />
      <ul className="grid gap-x-8 px-4 py-2 sm:px-5 lg:grid-cols-2">
        {[...steps]
          .sort((one, other) => Number(one.done) - Number(other.done))
          .map((step) => (
            <li key={step.title} className="flex items-start gap-3 py-2.5">
              <SetupLine {...step} />
            </li>
          ))}
      </ul>
    </Card>
  );
}

function SetupLine({ title, done, detail, href, test }: SetupStep) {
  const icon = done ? 'check' : 'circle-alert';
  return (
    <>
      <Icon name={icon} className={`mt-0.5 ${done ? 'text-green-ink' : 'text-red-ink'}`} />
      <div className="min-w-0 flex-1">
        <p className={done ? 'text-muted' : 'font-medium text-ink'}>
          {title}
          <span className="sr-only">{done ? ' (done)' : ' (open)'}</span>
        </p>
        {done ? null : <p className="wrap-anywhere mt-0.5 text-muted text-sm">{detail}</p>}
        {done ? null : (
          <div className="mt-2 flex flex-wrap items-center gap-2 empty:hidden">
            {test?.kind === 'mail' ? (
              <TestIntegration name={getMailProvider() === 'SMTP' ? 'smtp' : 'resend'} label="Mail" />
            ) : null}
            {test?.kind === 'payment' ? (
              <TestPayment provider={test.provider} mode={test.mode} label={providerNames[test.provider]} />
            ) : null}
            {href ? (
              <ButtonLink href={href} size="sm" aria-label={`Open: ${title}`}>
                Open
              </ButtonLink>
            ) : null}
          </div>
        )}
      </div>
    </>
  );
}
