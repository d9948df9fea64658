import { PowerOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { Card } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { PageHeader } from '@/components/ui/page-header';

/** The page of a feature that an admin has disabled. */
export function FeatureDisabled({ title, text, action }: { title: string; text: string; action?: ReactNode }) {
  return (
    <>
      <PageHeader title={title} />
      <Card>
        <EmptyState icon={<PowerOff />} title={text} action={action} />
      </Card>
    </>
  );
}
