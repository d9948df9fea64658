import type { Metadata } from 'next';
import { PageHeader } from '@/components/ui/page-header';
import { env } from '@/lib/env';
import { getBranding } from '@/lib/settings/branding/get-branding';
import { getFlags } from '@/lib/settings/feature-flags';
import type { Section } from './_components/section';
import { authentication, gettingStarted, tokens } from './_sections/access';
import { changelog, client, mcp, webhooks } from './_sections/integrations';
import { errors, idempotency, pagination } from './_sections/requests';

export const metadata: Metadata = { title: 'Developers', description: 'The guide to the API.' };

const sections: readonly Section[] = [
  ...[gettingStarted, authentication, tokens, idempotency, errors, pagination, webhooks, mcp, client, changelog],
];

/** Renders the guide to the API. A section that belongs to a feature flag is shown while the flag is on. */
export default async function DevelopersPage() {
  const [{ siteName }, flags] = await Promise.all([getBranding(), getFlags()]);
  // By text: a section can describe a feature whose flag is not declared in this version.
  const on = new Set<string>(flags.filter(({ isOn }) => isOn).map(({ name }) => name));
  const shown = sections.filter(({ flag }) => flag === undefined || on.has(flag));
  return (
    <>
      <PageHeader
        title={`${siteName} for developers`}
        description="Find sites, place orders, and follow them from your own programs. Everything that the website does goes through this API."
      />
      <div className="grid gap-8 lg:grid-cols-[12rem_minmax(0,1fr)]">
        <nav aria-label="Contents" className="lg:sticky lg:top-6 lg:self-start">
          <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm lg:grid lg:gap-1">
            {shown.map(({ id, title }) => (
              <li key={id}>
                <a href={`#${id}`} className="inline-block py-0.5 text-muted hover:text-ink hover:underline">
                  {title}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div className="grid min-w-0 gap-12">
          {shown.map(({ id, title, Content }) => (
            <section key={id} id={id} aria-labelledby={`${id}-title`} className="scroll-mt-6">
              <h2 id={`${id}-title`} className="mb-3 text-ink text-lg">
                {title}
              </h2>
              <div className="grid max-w-3xl gap-4 text-pretty text-muted text-sm leading-6">
                <Content origin={env().APP_URL} on={on} />
              </div>
            </section>
          ))}
        </div>
      </div>
    </>
  );
}
