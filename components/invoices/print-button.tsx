'use client';

import { Printer } from 'lucide-react';
import { Button } from '../ui/button';

/** Opens the browser's own print, where a PDF can be saved as well. */
export function PrintButton() {
  return (
    <Button variant="primary" icon={<Printer className="size-4" />} onClick={() => window.print()} className="no-print">
      Print or save as PDF
    </Button>
  );
}
