'use client';

import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';

/** Opens the browser's print dialog, which can also save a PDF. */
export function PrintButton() {
  return (
    <Button variant="primary" icon={<Icon name="printer" />} onClick={() => window.print()} className="no-print">
      Print or save as PDF
    </Button>
  );
}
