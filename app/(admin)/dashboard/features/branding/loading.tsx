import { PageHeader } from '@/components/ui/page-header';
import { CardSkeleton } from '@/components/ui/skeleton';
import { description, title } from './_components/page-texts';

export default function BrandingLoading() {
  return (
    <>
      <PageHeader title={title} description={description} />
      <CardSkeleton label="Loading branding" />
    </>
  );
}
