import { toast } from 'sonner';
import { Button } from './button';

/** Shows for six seconds that a change was saved, with a button that undoes it. */
export function toastWithUndo(message: string, undo: () => void): void {
  const id = toast.success(message, {
    description: (
      <Button
        size="sm"
        className="mt-1.5"
        onClick={() => {
          toast.dismiss(id);
          undo();
        }}
      >
        Undo
      </Button>
    ),
    duration: 6_000,
  });
}
