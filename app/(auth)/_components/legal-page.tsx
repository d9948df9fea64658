import { notFound } from 'next/navigation';
import { AuthFrame } from '@/components/auth/auth-frame';
import { AuthLink } from '@/components/auth/sign-in-link';
import { LegalText } from '@/components/legal/legal-text';
import type { LegalKind } from '@/db/enums';
import { getBranding } from '@/lib/settings/branding/get-branding';
import { findDocument } from '@/lib/settings/legal/documents';
import { legalPaths, legalTitles } from '@/lib/settings/legal/legal';

type LegalPageProps = { kind: LegalKind; searchParams: Promise<{ version?: string | string[] }> };

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/** Renders the page of a legal document: the published version, or an earlier one of the URL. */
export async function LegalPage({ kind, searchParams }: LegalPageProps) {
  const [brand, { version: input }] = await Promise.all([getBranding(), searchParams]);
  const published = brand.legal[kind];
  const requested = typeof input === 'string' && /^\d{1,6}$/.test(input) ? Number(input) : published;
  const document = requested === null ? null : await findDocument(kind, requested);
  if (!document) notFound();
  const isPublished = document.version === published;
  return (
    <AuthFrame
      brand={brand}
      isWide
      title={legalTitles[kind]}
      subtitle={`Version ${document.version}, ${day.format(document.publishedAt)}`}
    >
      {isPublished ? null : (
        <p className="mb-6 text-muted">
          {published === null ? (
            'This version is no longer in force.'
          ) : (
            <>
              This version has been replaced. <AuthLink href={legalPaths[kind]}>Read the current version</AuthLink>
            </>
          )}
        </p>
      )}
      <LegalText text={document.text} />
    </AuthFrame>
  );
}
