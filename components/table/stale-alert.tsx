import type { ReactNode } from 'react';
import { Alert } from '../ui/alert';
import { Button } from '../ui/button';

type StaleAlertProps = { title: string; onKeepMine: () => void; onUseTheirs: () => void; children: ReactNode };

/** Somebody else changed what is being edited: says what (`children`), and lets the person choose. */
export function StaleAlert({ title, onKeepMine, onUseTheirs, children }: StaleAlertProps) {
  return (
    <Alert tone="warning" title={title}>
      {children}
      <div className="mt-3 flex flex-wrap gap-2">
        <Button size="sm" onClick={onKeepMine}>
          Keep mine to save
        </Button>
        <Button size="sm" onClick={onUseTheirs}>
          Use theirs
        </Button>
      </div>
    </Alert>
  );
}
