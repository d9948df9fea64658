'use client';

import { Button } from '../ui/button';

/** Opens the browser's own print, where a PDF can be saved as well. */
export function PrintButton() {
  return (
    <Button
      variant="primary"
      icon={<span aria-hidden="true" className="icon-printer size-4" />}
      onClick={() => window.print()}
      className="no-print"
    >
      Print or save as PDF
    </Button>
  );
}
