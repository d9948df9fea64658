import { ProtectedDownload } from '@/components/security/protected-download';
import { oneParam, type SearchParams } from '@/components/table/url';
import { ButtonLink, buttonClass } from '@/components/ui/button';
import { PageHeader } from '@/components/ui/page-header';
import { requirePage } from '@/lib/auth/page-guard';
import { getReturnPath, portals } from '@/lib/auth/portals';

export const metadata = { title: 'Confirm your password' };

/**
 * Asks for the password. The server redirects here when a download requires recent authentication
 * (lib/platform/http/route.ts).
 */
export default async function ConfirmPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  await requirePage('admin', 'AdminDashboard');
  const { home } = portals.admin;
  const href = getReturnPath(oneParam(await searchParams, 'next'), home);
  return (
    <>
      <PageHeader
        title="Confirm your password"
        description="To download this file, you must have confirmed your password within the last five minutes."
      />
      <div className="flex flex-wrap gap-2">
        {href === home ? null : (
          <ProtectedDownload href={href} className={buttonClass({ variant: 'primary' })}>
            Confirm and download
          </ProtectedDownload>
        )}
        <ButtonLink href={home}>Back to dashboard</ButtonLink>
      </div>
    </>
  );
}
