import { installedDocument } from '@/app/api/openapi.json/document';
import { ApiReference, type ReferenceSearchParams } from '@/components/developers/api-reference';
import { screenTexts } from '@/components/shell/screen-texts';
import { requirePage } from '@/lib/auth/page-guard';

const texts = screenTexts('/dashboard/features/api-reference');

export const metadata = { title: texts.title };

/** Renders the whole OpenAPI document of this installation. */
export default async function ApiReferencePage({ searchParams }: { searchParams: ReferenceSearchParams }) {
  await requirePage('admin', 'AdminDashboard');
  return (
    <ApiReference
      document={installedDocument()}
      searchParams={searchParams}
      home="/dashboard/features/api-reference"
      header={{
        ...texts,
        actions: (
          <span className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
            <a href="/developers" className="text-accent-ink underline">
              API guide
            </a>
            <a href="/api/openapi.json" className="text-accent-ink underline">
              OpenAPI 3.1 document
            </a>
          </span>
        ),
      }}
      searchPlaceholder="Search path, text or permission"
    />
  );
}
