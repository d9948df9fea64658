'use client';

import { Printer } from 'lucide-react';
import { Button } from '@/components/ui/button';

/** Opens the browser's print dialog, which can also save a PDF. */
export function PrintButton() {
  return (
    <Button variant="primary" icon={<Printer className="size-4" />} onClick={() => window.print()} className="no-print">
      Print or save as PDF
    </Button>
  );
}
