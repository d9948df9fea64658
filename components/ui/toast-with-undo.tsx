import { toast } from 'sonner';
import { Button } from './button';

/** Shows for six seconds that a change was saved, with a button that undoes it. */
export function toastWithUndo(message: string, undo: () => void): void {
  const button = (
    <Button size="sm" className="mt-1.5" onClick={undo}>
      Undo
    </Button>
  );
  toast.success(message, { description: button, duration: 6_000 });
}
