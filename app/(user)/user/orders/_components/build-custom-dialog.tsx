'use client';

import { RecordDialog } from '@/components/table/record-dialog';
import { BuildCustomForm, type BuildCustomFormProps } from './build-custom-form';

/** Build Custom: sites chosen one by one, each of which becomes an order of its own. */
export default function BuildCustomDialog({ closeHref, ...form }: BuildCustomFormProps & { closeHref: string }) {
  return (
    <RecordDialog
      title="Build Custom"
      description="Choose the sites yourself. Each becomes an order of its own, paid from your wallet."
      closeHref={closeHref}
      size="2xl"
    >
      <BuildCustomForm {...form} />
    </RecordDialog>
  );
}
