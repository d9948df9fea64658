import { PageHeader } from '@/components/ui/page-header';
import { CardSkeleton } from '@/components/ui/skeleton';
import { description, title } from './_components/page-texts';

export default function SignInSettingsLoading() {
  return (
    <>
      <PageHeader title={title} description={description} />
      <CardSkeleton label="Loading sign-in settings" />
    </>
  );
}
